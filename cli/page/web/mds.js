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

// Plain loops below: they run some ten million times.

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

// The leading eigenvector orthogonal to `other`, scaled by its root.
function leading(b, other) {
  let v = Float64Array.from({length: b.length}, (_, i) => Math.sin(1 + i * 2.399963));
  let size = 0;
  for (let round = 0; round < 200; round++) {
    if (other) {
      const along = dot(v, other);
      v = v.map((x, i) => x - along * other[i]);
    }
    const w = Float64Array.from(b, (row) => dot(row, v));
    size = Math.sqrt(dot(w, w));
    if (!(size > 1e-12)) break;
    v = w.map((x) => x / size);
  }
  return {v, root: Math.sqrt(Math.max(0, size))};
}

function farApart(x, y, i, j) {
  const dx = x[i] - x[j], dy = y[i] - y[j];
  return Math.sqrt(dx * dx + dy * dy);
}

function majorise(d, x, y, rounds) {
  const n = d.length;
  for (let round = 0; round < rounds; round++) {
    const sx = x.reduce((a, b) => a + b, 0), sy = y.reduce((a, b) => a + b, 0);
    const nx = x.map((v) => sx - v), ny = y.map((v) => sy - v);
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j < n; j++) {
        const pull = d[i][j] / (farApart(x, y, i, j) || 1e-9);
        const dx = pull * (x[i] - x[j]), dy = pull * (y[i] - y[j]);
        nx[i] += dx, nx[j] -= dx;
        ny[i] += dy, ny[j] -= dy;
      }
    }
    x = nx.map((v) => v / (n - 1));
    y = ny.map((v) => v / (n - 1));
  }
  return [x, y];
}

function stressOf(d, x, y) {
  let wrong = 0, all = 0;
  for (let i = 0; i < d.length; i++) {
    for (let j = i + 1; j < d.length; j++) {
      wrong += (farApart(x, y, i, j) - d[i][j]) ** 2;
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
  const [x, y] = majorise(d, first.v.map((v) => v * first.root), second.v.map((v) => v * second.root), 60);
  const left = Math.min(...x), top = Math.min(...y);
  const span = Math.max(Math.max(...x) - left, Math.max(...y) - top) || 1;
  return {points: Array.from(x, (v, i) => [(v - left) / span, (y[i] - top) / span]), stress: stressOf(d, x, y)};
}
