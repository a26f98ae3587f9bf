// SPDX-License-Identifier: Apache-2.0
// Edges of pictures keep clear of nodes and labels: edges.mjs [SEED [PICTURES]]
//
// The drawn path of each edge may touch the boxes of its ends and its own
// label, and no other box. Runs the page's own modules, without a browser.
import {readFileSync} from "node:fs";
import {runInThisContext} from "node:vm";

const seed = Number(process.argv[2] ?? process.pid), count = Number(process.argv[3] ?? 2000);
const STEPS = 64; // samples of each curve
const SLACK = 0.1; // pixels: coordinates are printed with one digit

// ---- a document that keeps what is drawn ----

class Element {
  constructor(tag) {
    Object.assign(this, {tag, attributes: {}, children: [], clientWidth: 0,
      viewBox: {baseVal: {x: 0}}});
  }
  setAttribute(key, value) { this.attributes[key] = value; }
  addEventListener() {}
  append(...children) { this.children.push(...children); }
  getContext() { return {measureText: (text) => ({width: 6.5 * text.length})}; }
  number(key) { return Number(this.attributes[key]); }
  has(word) { return String(this.attributes.class ?? "").split(" ").includes(word); }
  all(wanted) {
    const below = this.children.flatMap((c) => (c instanceof Element ? c.all(wanted) : []));
    return wanted(this) ? [this, ...below] : below;
  }
}

globalThis.document = {createElement: (tag) => new Element(tag),
  createElementNS: (space, tag) => new Element(tag)};
const web = new URL("../../cli/page/web/", import.meta.url);
runInThisContext(readFileSync(new URL("vendor/dagre.js", web), "utf8"));
const {picture, plain} = await import(new URL("draw.js", web));
const {lineage} = await import(new URL("view_graphs.js", web));

// ---- what is drawn ----

function boxOf(shape) {
  const [x, y, w, h] = shape.tag === "ellipse"
    ? [shape.number("cx") - shape.number("rx"), shape.number("cy") - shape.number("ry"),
      2 * shape.number("rx"), 2 * shape.number("ry")]
    : ["x", "y", "width", "height"].map((key) => shape.number(key));
  return {left: x, right: x + w, top: y, bottom: y + h, round: shape.tag === "ellipse"};
}

// The points of a path of M, L, Q and C; a piece that is straight has two.
function pointsOf(path) {
  const points = [];
  for (const [, letter, rest] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const n = rest.trim().split(/[ ,]+/).map(Number);
    if (!"MLQC".includes(letter) || n.length !== {M: 2, L: 2, Q: 4, C: 6}[letter] || n.some(Number.isNaN))
      throw new Error("path " + path);
    const bones = [points.at(-1) ?? [n[0], n[1]]];
    for (let i = 0; i < n.length; i += 2) bones.push([n[i], n[i + 1]]);
    for (let k = 0; k <= STEPS; k++) points.push(along(bones, k / STEPS));
  }
  return points;
}

// De Casteljau.
function along(bones, t) {
  while (bones.length > 1)
    bones = bones.slice(1).map((q, i) => q.map((c, d) => bones[i][d] + (c - bones[i][d]) * t));
  return bones[0];
}

const inside = ([x, y], box, slack) => x > box.left + slack && x < box.right - slack &&
  y > box.top + slack && y < box.bottom - slack;

// On the outline of a rectangle or an ellipse.
function touches([x, y], box) {
  const wide = (box.right - box.left) / 2, high = (box.bottom - box.top) / 2;
  const u = Math.abs(x - box.left - wide) / wide, v = Math.abs(y - box.top - high) / high;
  return Math.abs((box.round ? Math.hypot(u, v) : Math.max(u, v)) - 1) < 2 * SLACK / Math.min(wide, high);
}

// Faults of one picture: its boxes by node, and edges [from, to, path, label or null].
function faultsOf(boxes, edges) {
  const faults = [];
  edges.forEach(([from, to, path, label], k) => {
    const points = pointsOf(path);
    const name = `edge ${k}, ${from} to ${to},`;
    for (const [v, box] of boxes)
      if (v !== from && v !== to && points.some((p) => inside(p, box, SLACK)))
        faults.push(`${name} enters node ${v}`);
    edges.forEach((other, j) => {
      if (j !== k && other[3] && points.some((p) => inside(p, other[3], SLACK)))
        faults.push(`${name} enters the label of edge ${j}`);
    });
    if (label && !points.some((p) => inside(p, label, SLACK))) faults.push(`${name} misses its label`);
    for (const [v, p] of [[from, points[0]], [to, points.at(-1)]])
      if (!touches(p, boxes.get(v))) faults.push(`${name} does not end at node ${v}`);
  });
  return faults;
}

const isNode = (e) => e.has("node");
const isEdge = (e) => e.tag === "g" && e.children.some((c) => c.tag === "path");

function labelOf(group) {
  const rect = group.children.find((c) => c.tag === "rect");
  return rect ? boxOf(rect) : null;
}

const pathOf = (group) => group.children.find((c) => c.tag === "path").attributes.d;

function faultsOfGraph(graph) {
  const root = picture(plain(graph), "");
  const boxes = new Map(root.all(isNode).map((shape, v) => [v, boxOf(shape)]));
  const edges = root.all(isEdge).map((group) => {
    const [from, to] = /^(\d+) → (\d+)/.exec(group.children[0].children[0]).slice(1).map(Number);
    return [from, to, pathOf(group), labelOf(group)];
  });
  if (edges.length !== graph.edges.length) return ["edges are missing"];
  return faultsOf(boxes, edges);
}

function faultsOfLineage(graph) {
  const persons = graph.nodes.map((_, v) => ({trial: v, operator: "crossover", value: v,
    parents: graph.edges.filter((e) => e[1] === v).map((e) =>
      ({trial: e[0], edits: Array.from({length: 1 + (v + e[0]) % 3}, () => ({op: "edge_insert", from: 0, to: v}))}))}));
  const place = new Element("div");
  lineage.draw(place, {trial: graph.nodes.length - 1, persons, whole: true}, {open() {}});
  const boxes = new Map(place.all((e) => e.has("person")).map((g, v) => [v, boxOf(g.children[0])]));
  const ends = persons.flatMap((p) => p.parents.map((parent) => [parent.trial, p.trial]));
  return faultsOf(boxes, place.all(isEdge).map((group, k) => [...ends[k], pathOf(group), labelOf(group)]));
}

// ---- random graphs ----

// Mulberry's scheme: 32 bits of state, enough for pictures.
function stream(state) {
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LABELS = ["conv3x3-bn-relu", "conv1x1", "max", "tanh", "a", "separable convolution 5x5", ""];
// Columns: the kind of graph, its share of all pictures, the check, the maker.
const KINDS = [
  ["cells", 0.4, faultsOfGraph, (random) => cell(random, size(random), random())],
  ["long edges", 0.1, faultsOfGraph, (random) => cell(random, 12, 0.3 * random(), {chain: true})],
  ["cycles", 0.2, faultsOfGraph, (random) => cell(random, size(random), 0.6 * random(), {back: 0.15})],
  ["labelled edges", 0.2, faultsOfGraph, (random) => cell(random, size(random), 0.6 * random(), {label: 0.5, back: 0.05})],
  ["large", 0.02, faultsOfGraph, (random) => cell(random, 24 + Math.floor(17 * random()), 0.12 * random())],
  ["lineages", 0.08, faultsOfLineage, (random) => cell(random, size(random), random())],
];

const size = (random) => 2 + Math.floor(11 * random());

function cell(random, n, density, {chain = false, back = 0, label = 0} = {}) {
  const graph = {nodes: ["input", ...Array.from({length: n - 2}, () =>
    LABELS[Math.floor(LABELS.length * random())]), "output"], edges: []};
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const there = i < j ? random() < density || (chain && j === i + 1) : random() < back * density;
      if (there) graph.edges.push(random() < label ? [i, j, "edge " + LABELS[(i + j) % LABELS.length]] : [i, j]);
    }
  return graph;
}

// ---- tests ----

console.log("seed", seed);
let failed = 0;
for (const [kind, share, judge, make] of KINDS) {
  const random = stream(seed), pictures = Math.ceil(share * count);
  let bad = 0, edges = 0;
  for (let k = 0; k < pictures; k++) {
    const graph = make(random), faults = judge(graph);
    edges += graph.edges.length;
    if (faults.length && !bad++) console.log(kind + ":", JSON.stringify(graph), faults);
  }
  console.log(`${kind}: ${bad} of ${pictures} pictures have a fault, ${edges} edges`);
  failed += bad;
}
process.exit(failed ? 1 : 0);
