// SPDX-License-Identifier: Apache-2.0
// Graphs as pictures, in the style of `sepx draw`: rounded boxes coloured by
// operation, terminals as ellipses, small grey numbers; edits by colour and
// by line, for those who see red and green alike.
import {el, svg, operationColour, shorten, visible} from "./util.js";
import {route} from "./route.js";

const HEIGHT = 30;

const pen = document.createElement("canvas").getContext("2d");
pen.font = '12px system-ui, "Segoe UI", Arial, sans-serif'; // as style.css has it

export function widthOf(text) {
  return pen.measureText(text).width;
}

// Nodes and edges with a state: kept, deleted, inserted or relabelled.
export function plain(graph) {
  return {
    undirected: graph.directed === false,
    nodes: graph.nodes.map((node) => ({label: labelOf(node), state: "kept"})),
    edges: (graph.edges || []).map((edge) => ({from: edge[0], to: edge[1],
      label: edge.length > 2 ? String(edge[2]) : "", state: "kept"})),
  };
}

function labelOf(node) {
  if (typeof node === "string") return node;
  return node && typeof node === "object" ? String(node.label ?? "") : String(node);
}

function findEdge(graph, edit, label) {
  return graph.edges.find((e) => e.state === "kept" &&
    ((e.from === edit.from && e.to === edit.to) ||
     (graph.undirected && e.from === edit.to && e.to === edit.from)) &&
    (label == null || e.label === label));
}

// Both graphs in one: nodes of the parent keep their numbers, inserted ones
// follow, as the edits count them.
export function merge(parent, edits) {
  const both = plain(parent);
  for (const edit of edits) {
    const [noun, verb] = edit.op.split("_");
    if (noun === "node") editNode(both, verb, edit);
    else editEdge(both, verb, edit);
  }
  return both;
}

function editNode(both, verb, edit) {
  const node = both.nodes[edit.node];
  if (verb === "insert") both.nodes[edit.node] = {label: edit.new ?? "", state: "inserted"};
  else if (verb === "delete") node.state = "deleted";
  else Object.assign(node, {was: node.label, label: edit.new ?? "", state: "relabelled"});
}

function editEdge(both, verb, edit) {
  if (verb === "insert") {
    both.edges.push({from: edit.from, to: edit.to, label: edit.new ?? "", state: "inserted"});
    return;
  }
  const edge = findEdge(both, edit, edit.old ?? "") || findEdge(both, edit, null);
  if (!edge) return;
  if (verb === "delete") edge.state = "deleted";
  else Object.assign(edge, {was: edge.label, label: edit.new ?? "", state: "relabelled"});
}

function isTerminal(graph, i) {
  const ends = graph.edges.some((e) => e.from === i) &&
    graph.edges.some((e) => e.to === i);
  return !ends && ["input", "output"].includes(graph.nodes[i].label);
}

function layout(graph) {
  const g = new dagre.graphlib.Graph({multigraph: true});
  g.setGraph({rankdir: "TB", nodesep: 18, ranksep: 36,
    marginx: 6, marginy: 6});
  g.setDefaultEdgeLabel(() => ({}));
  graph.nodes.forEach((node, i) => {
    const text = node.was != null ? shorten(node.was, 18) + " → " + shorten(node.label, 18)
      : shorten(node.label, 28);
    g.setNode(String(i), {text, width: widthOf(text) + widthOf(String(i)) * 0.75 + 26,
      height: HEIGHT, round: isTerminal(graph, i)});
  });
  graph.edges.forEach((edge, k) => {
    const text = edge.was != null ? shorten(edge.was, 14) + " → " + shorten(edge.label, 14)
      : shorten(edge.label, 22);
    g.setEdge(String(edge.from), String(edge.to), {text, width: text ? widthOf(text) + 10 : 0,
      height: text ? 20 : 0, labelpos: "c"}, String(k));
  });
  dagre.layout(g);
  route(g);
  return g;
}

function drawEdge(graph, edge, at) {
  const parts = [svg("path", {d: at.path, class: "edge " + edge.state,
    "marker-end": graph.undirected ? null : "url(#arrow-" + edge.state + ")"})];
  if (at.text) {
    parts.push(
      svg("rect", {x: at.x - at.width / 2, y: at.y - 10, width: at.width, height: 20, rx: 4,
        fill: operationColour(edge.label)}),
      svg("text", {x: at.x, y: at.y + 4, class: "label"}, at.text));
  }
  return svg("g", {}, svg("title", {}, visible(edge.from + " → " + edge.to + " " +
    edge.label + (edge.state === "kept" ? "" : ": " + edge.state))), ...parts);
}

function drawNode(graph, i, at) {
  const node = graph.nodes[i];
  const left = at.x - at.width / 2, top = at.y - HEIGHT / 2;
  const shape = at.round
    ? svg("ellipse", {cx: at.x, cy: at.y, rx: at.width / 2, ry: HEIGHT / 2,
      class: "node " + node.state, fill: "#eceef1"})
    : svg("rect", {x: left, y: top, width: at.width, height: HEIGHT, rx: 7,
      class: "node " + node.state, fill: operationColour(node.label)});
  const small = widthOf(String(i)) * 0.75 + 6;
  return svg("g", {},
    svg("title", {}, visible(i + ": " + node.label +
      (node.state === "kept" ? "" : ": " + node.state))),
    shape,
    svg("text", {x: at.x - small / 2, y: at.y + 4, class: "label"}, at.text),
    svg("text", {x: left + at.width - 7, y: at.y + 4, class: "number"}, String(i)));
}

function markers() {
  return svg("defs", {}, ["kept", "deleted", "inserted", "relabelled"].map((state) =>
    svg("marker", {id: "arrow-" + state, viewBox: "0 0 10 10", refX: 9, refY: 5,
      markerWidth: 6, markerHeight: 6, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse",
      class: "arrow " + state}, svg("path", {d: "M0 0L10 5L0 10z"}))));
}

// Around all nodes, edges and labels: long edges may leave dagre's own frame.
export function frame(g) {
  const xs = [], ys = [];
  for (const v of g.nodes()) {
    const {x, y, width, height} = g.node(v);
    xs.push(x - width / 2, x + width / 2);
    ys.push(y - height / 2, y + height / 2);
  }
  for (const e of g.edges()) {
    const at = g.edge(e);
    for (const p of at.points) {
      xs.push(p.x);
      ys.push(p.y);
    }
    if (at.text) xs.push(at.x - at.width / 2, at.x + at.width / 2);
  }
  const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
  const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!xs.length) return {viewBox: "0 0 10 10", width: 10, height: 10};
  const left = Math.floor(least(xs)) - 6, top = Math.floor(least(ys)) - 6;
  const width = Math.ceil(most(xs)) + 6 - left, height = Math.ceil(most(ys)) + 6 - top;
  return {viewBox: `${left} ${top} ${width} ${height}`, width, height};
}

const LARGE = 400; // nodes; above, a layout would take minutes

export function picture(graph, title) {
  if (graph.nodes.length > LARGE)
    return el("p", {class: "note"}, graph.nodes.length +
      " nodes are too many for this page; 'sepx draw' draws them.");
  const g = layout(graph);
  const root = svg("svg", {...frame(g), role: "img", class: "graph", "aria-label": title});
  root.append(markers());
  for (const e of g.edges()) root.append(drawEdge(graph, graph.edges[Number(e.name)], g.edge(e)));
  graph.nodes.forEach((node, i) => root.append(drawNode(graph, i, g.node(String(i)))));
  return root;
}

export function editText(edit) {
  const place = edit.from != null ? edit.from + " → " + edit.to : edit.node;
  const change = edit.old != null && edit.new != null ? edit.old + " → " + edit.new
    : edit.old ?? edit.new ?? "";
  const [noun, verb] = edit.op.split("_");
  return visible(verb + " " + noun + " " + place + (change ? ": " + change : ""));
}
