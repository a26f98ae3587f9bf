// SPDX-License-Identifier: Apache-2.0
// Multidimensional scaling: points in a square whose distances are near the
// given ones. Classical scaling (Torgerson 1952) is the start, majorisation
// (de Leeuw 1977) lowers the stress. No random numbers: same data, same map.

function matrixOf(count, upper) {
  const d = Array.from({length: count}, () => new Float64Array(count));
  let k = 0;
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++) d[i][j] = d[j][i] = upper[k++];
  return d;
}

function centre(d) {
  const n = d.length;
  const squares = d.map((row) => row.map((x) => x * x));
  const means = squares.map((row) => row.reduce((a, b) => a + b, 0) / n);
  const all = means.reduce((a, b) => a + b, 0) / n;
  return squares.map((row, i) => row.map((x, j) => -0.5 * (x - means[i] - means[j] + all)));
}

// The leading eigenvector orthogonal to `other`, scaled by its root.
function leading(b, other) {
  const n = b.length;
  let v = Float64Array.from({length: n}, (_, i) => Math.sin(1 + i * 2.399963));
  let size = 0;
  for (let round = 0; round < 200; round++) {
    if (other) {
      const along = v.reduce((a, x, i) => a + x * other[i], 0);
      v = v.map((x, i) => x - along * other[i]);
    }
    const w = b.map((row) => row.reduce((a, x, j) => a + x * v[j], 0));
    size = Math.hypot(...w);
    if (!(size > 1e-12)) break;
    v = Float64Array.from(w, (x) => x / size);
  }
  return {v, root: Math.sqrt(Math.max(0, size))};
}

function majorise(d, points, rounds) {
  const n = d.length;
  for (let round = 0; round < rounds; round++) {
    const next = points.map(() => [0, 0]);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        const dx = points[i][0] - points[j][0], dy = points[i][1] - points[j][1];
        const far = Math.hypot(dx, dy) || 1e-9;
        next[i][0] += points[j][0] + d[i][j] * dx / far;
        next[i][1] += points[j][1] + d[i][j] * dy / far;
      }
    }
    points = next.map(([x, y]) => [x / (n - 1), y / (n - 1)]);
  }
  return points;
}

function stressOf(d, points) {
  let wrong = 0, all = 0;
  for (let i = 0; i < d.length; i++) {
    for (let j = i + 1; j < d.length; j++) {
      const far = Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]);
      wrong += (far - d[i][j]) ** 2;
      all += d[i][j] ** 2;
    }
  }
  return all ? wrong / all : 0;
}

// Points within [0, 1]; stress is the share of squared distance that is lost.
export function placeByDistance(count, upper) {
  const d = matrixOf(count, upper);
  const b = centre(d);
  const first = leading(b, null), second = leading(b, first.v);
  let points = d.map((_, i) => [first.v[i] * first.root, second.v[i] * second.root]);
  points = majorise(d, points, 60);
  const stress = stressOf(d, points);
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const low = [Math.min(...xs), Math.min(...ys)];
  const span = Math.max(Math.max(...xs) - low[0], Math.max(...ys) - low[1]) || 1;
  return {points: points.map(([x, y]) => [(x - low[0]) / span, (y - low[1]) / span]), stress};
}
