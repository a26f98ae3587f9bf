// SPDX-License-Identifier: Apache-2.0
// Edges of a layered picture that pass no node but their ends.
//
// dagre keeps a free column for each edge in each rank that the edge passes,
// but gives one point of it, and straight lines between such points cut the
// corners of nodes. Here an edge crosses a rank of nodes or labels straight
// along its column and moves sideways between ranks only: each curve stays
// within the heights of its two ends.

const APART = 11; // pixels between edges at a node, if it is wide enough

const pair = (x, y) => x.toFixed(1) + " " + y.toFixed(1);

// Half the height of each rank that has nodes or labels, by its middle.
function halfHeights(g) {
  const half = new Map();
  const add = (at) => half.set(at.y, Math.max(half.get(at.y) ?? 0, at.height / 2));
  for (const v of g.nodes()) add(g.node(v));
  for (const e of g.edges()) if (g.edge(e).text) add(g.edge(e));
  return half;
}

// On the right of the node, in the column that dagre keeps beside it.
function routeLoop(node, at) {
  const right = node.x + node.width / 2, reach = right + (at.x - right) / 0.75;
  const start = node.height / 5, bend = node.height * 0.45;
  at.points = [{x: at.x, y: at.y}];
  at.path = "M" + pair(right, node.y - start) + "C" + pair(reach, node.y - bend) + " " +
    pair(reach, node.y + bend) + " " + pair(right, node.y + start);
}

// The ends of edges on one side of a node, in the order of their next stops.
function spreadEnds(node, ends) {
  const step = Math.min(APART, 0.7 * node.width / ends.length);
  ends.sort((a, b) => a.toward - b.toward).forEach(({stop}, i) => {
    const aside = (i - (ends.length - 1) / 2) * step;
    stop.x += aside;
    stop.touch = node.round ? node.height / 2 * Math.sqrt(1 - (2 * aside / node.width) ** 2)
      : node.height / 2;
  });
}

// `touch` is how far from its middle a node is reached. Pieces without length
// are left out, as an arrow at one has no direction.
function pathOf(stops, way, half) {
  const rim = (p, side) => p.y + side * way * half.get(p.y);
  const touch = (p, side) => p.y + side * way * p.touch;
  const straight = (x, y, end) => (y.toFixed(1) === end.toFixed(1) ? "" : "L" + pair(x, end));
  const first = stops[0], last = stops[stops.length - 1];
  let path = "M" + pair(first.x, touch(first, 1)) + straight(first.x, touch(first, 1), rim(first, 1));
  for (let i = 1; i < stops.length; i++) {
    const p = stops[i - 1], q = stops[i], middle = (rim(p, 1) + rim(q, -1)) / 2;
    path += "C" + pair(p.x, middle) + " " + pair(q.x, middle) + " " + pair(q.x, rim(q, -1)) +
      straight(q.x, rim(q, -1), q === last ? touch(q, -1) : rim(q, 1));
  }
  return path;
}

// After dagre.layout(), with ranks from top to bottom: gives each edge its
// `path`, and the `points` that it spans.
export function route(g) {
  const half = halfHeights(g), sides = new Map(), lines = [];
  const addEnd = (v, side, stop, toward) => {
    const key = v + side;
    if (!sides.has(key)) sides.set(key, {node: g.node(v), ends: []});
    sides.get(key).ends.push({stop, toward: toward.x});
  };
  for (const e of g.edges()) {
    const at = g.edge(e), from = g.node(e.v), to = g.node(e.w);
    if (e.v === e.w) {
      routeLoop(from, at);
      continue;
    }
    const down = to.y > from.y;
    const stops = [from, ...at.points.slice(1, -1).filter((p) => half.has(p.y)), to]
      .map(({x, y}) => ({x, y}));
    addEnd(e.v, down ? " below" : " above", stops[0], stops[1]);
    addEnd(e.w, down ? " above" : " below", stops[stops.length - 1], stops[stops.length - 2]);
    lines.push({at, stops, way: down ? 1 : -1});
  }
  for (const {node, ends} of sides.values()) spreadEnds(node, ends);
  for (const {at, stops, way} of lines) {
    at.points = stops;
    at.path = pathOf(stops, way, half);
  }
}
