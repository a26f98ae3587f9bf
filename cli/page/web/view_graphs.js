// SPDX-License-Identifier: Apache-2.0
// Gallery, lineage and the map: graphs as pictures, by rank, by descent and
// by their edit distances.
import {el, svg, number, note, scaleColour, shorten} from "./util.js";
import {editText, frame, picture, plain, widthOf} from "./draw.js";
import {route} from "./route.js";
import {placeByDistance} from "./mds.js";

// All objectives, or the score.
function scoreText(entry, study) {
  if (!study.objectives.length) return "score " + number(entry.value);
  return study.objectives.map((o) =>
    shorten(o.name, 16) + " " + number(entry.numbers[study.numbers.indexOf(o.name)])).join(", ");
}

export const gallery = {
  name: "gallery", title: "Gallery", document: "gallery",
  draw(place, data, {open, study}) {
    if (!data.length) {
      place.append(note("No trial has a score yet."));
      return null;
    }
    place.append(el("p", {class: "hint"}, (study.objectives.length > 1
      ? "The graphs of the front, then others; " : `The ${data.length} best graphs; `) +
      "select one for the edits from its parents."));
    place.append(el("ul", {class: "gallery"}, data.map((entry, i) =>
      el("li", {}, el("button", {class: "card", onclick: () => open(entry.trial)},
        el("span", {class: "rank"}, `${i + 1}. ${scoreText(entry, study)}`),
        el("span", {class: "sub"}, `trial ${entry.trial}, ${shorten(entry.operator, 24)}`),
        picture(plain(entry.graph), `graph of trial ${entry.trial}`))))));
    return null;
  },
};

function personBox(person, at, best, open) {
  const go = () => open(person.trial);
  return svg("g", {class: "person" + (best ? " best" : ""), tabindex: 0, role: "button",
    onclick: go, onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") go(); }},
  svg("rect", {x: at.x - at.width / 2, y: at.y - at.height / 2, width: at.width,
    height: at.height, rx: 8}),
  svg("text", {x: at.x, y: at.y - 8, class: "label strong"}, "trial " + person.trial + " "),
  svg("text", {x: at.x, y: at.y + 8, class: "label"}, shorten(person.operator, 18) + " "),
  svg("text", {x: at.x, y: at.y + 23, class: "label"}, number(person.value)));
}

// A few edits stand on the arrow themselves; of many, their number.
function edgeLines(edits) {
  return edits.length && edits.length <= 2 ? edits.map((e) => shorten(editText(e), 32))
    : [edits.length + " edits"];
}

function layoutFamily(data) {
  const g = new dagre.graphlib.Graph();
  g.setGraph({rankdir: "TB", nodesep: 16, ranksep: 44, marginx: 8, marginy: 8});
  g.setDefaultEdgeLabel(() => ({}));
  const there = new Set(data.persons.map((p) => p.trial));
  for (const p of data.persons)
    g.setNode(String(p.trial), {width: Math.max(92, widthOf(shorten(p.operator, 18)) + 20), height: 62});
  for (const p of data.persons) {
    for (const parent of p.parents) {
      if (!there.has(parent.trial)) continue;
      const lines = edgeLines(parent.edits);
      g.setEdge(String(parent.trial), String(p.trial), {parent, lines, text: lines[0], labelpos: "c",
        width: Math.max(...lines.map(widthOf)) + 6, height: 15 * lines.length + 3});
    }
  }
  dagre.layout(g);
  route(g);
  return g;
}

export const lineage = {
  name: "lineage", title: "Lineage", document: "lineage",
  draw(place, data, {open}) {
    if (!data.persons.length) {
      place.append(note("There are no trials yet."));
      return null;
    }
    const g = layoutFamily(data);
    const root = svg("svg", {...frame(g), class: "graph", role: "group",
      "aria-label": `ancestors of trial ${data.trial}`});
    root.append(svg("defs", {}, svg("marker", {id: "arrow-family", viewBox: "0 0 10 10", refX: 9,
      refY: 5, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto", class: "arrow kept"},
    svg("path", {d: "M0 0L10 5L0 10z"}))));
    for (const e of g.edges()) {
      const at = g.edge(e);
      root.append(svg("g", {}, svg("title", {}, at.parent.edits.map(editText).join("\n")),
        svg("path", {d: at.path, class: "edge kept", "marker-end": "url(#arrow-family)"}),
        svg("rect", {x: at.x - at.width / 2, y: at.y - at.height / 2, width: at.width, height: at.height, class: "paper"}),
        at.lines.map((text, i) => svg("text", {x: at.x, y: at.y - at.height / 2 + 13 + 15 * i, class: "label sub"}, text))));
    }
    for (const p of data.persons)
      root.append(personBox(p, g.node(String(p.trial)), p.trial === data.trial, open));
    place.append(el("p", {class: "hint"}, `How trial ${data.trial}, the best, came to be. Edits stand on ` +
      "the arrows; hold the pointer over one for the list, select a box for its graph."));
    if (!data.whole)
      place.append(note(`The ${data.persons.length} nearest ancestors are shown; ` +
        "'sepx study lineage' prints all of them."));
    const box = el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "family tree"}, root);
    place.append(box);
    // A tree that is wider than its place shows the column of the best.
    box.scrollLeft = g.node(String(data.trial)).x - root.viewBox.baseVal.x - box.clientWidth / 2;
    return null;
  },
};

function colourShares(values, maximize) {
  const known = values.filter((v) => v != null);
  const sorted = [...known].sort((a, b) => a - b);
  // By rank: a few bad scores would leave all others one colour.
  return values.map((v) => {
    const rank = sorted.indexOf(v) / Math.max(1, sorted.length - 1);
    return maximize ? rank : 1 - rank;
  });
}

// The same distances lie in the same places: they are found once.
let last = {key: null, found: null};

function placed(data) {
  const key = data.trials.join() + ":" + data.distances.join();
  if (last.key !== key) last = {key, found: placeByDistance(data.trials.length, data.distances)};
  return last.found;
}

export const map = {
  name: "map", title: "Map", document: "map",
  draw(place, data, {open, study}) {
    if (data.trials.length < 3) {
      place.append(note(data.scored < 3 ? "The map needs three graphs with a score."
        : "These graphs are too large to be placed within seconds."));
      return null;
    }
    const {points, stress} = placed(data);
    const size = 560, margin = 24;
    const shares = colourShares(data.values, study.maximize);
    const root = svg("svg", {viewBox: `0 0 ${size} ${size}`, class: "map", role: "group",
      "aria-label": `${data.trials.length} graphs placed by their edit distances`});
    const order = data.trials.map((_, i) => i).sort((a, b) => shares[a] - shares[b]);
    for (const i of order) {
      const x = margin + points[i][0] * (size - 2 * margin);
      const y = margin + points[i][1] * (size - 2 * margin);
      const best = data.trials[i] === study.best_trial;
      root.append(svg("circle", {cx: x.toFixed(1), cy: y.toFixed(1), r: best ? 9 : data.trials.length > 200 ? 4.5 : 6, tabindex: 0, role: "button",
        fill: scaleColour(shares[i]), class: best ? "dot best" : "dot",
        "aria-label": `trial ${data.trials[i]}, score ${number(data.values[i])}`,
        onclick: () => open(data.trials[i]),
        onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") open(data.trials[i]); }},
      svg("title", {}, `trial ${data.trials[i]}: ${number(data.values[i])}`)));
    }
    place.append(el("p", {class: "hint"}, `${data.trials.length} of ${data.scored} graphs with a score: the best, and ` +
      "others at even steps of the ranking. Near means few edits apart: multidimensional scaling of all " +
      `${data.distances.length} edit distances, of which ${(100 * (1 - stress)).toFixed(0)} % is kept by the two dimensions.`));
    if (data.open)
      place.append(note(`${data.open} distances are upper bounds; the others are exact.`));
    place.append(root, el("div", {class: "scale"}, el("span", {}, "worst"),
      svg("svg", {width: 160, height: 12, "aria-hidden": "true"}, Array.from({length: 32}, (_, i) =>
        svg("rect", {x: i * 5, width: 5.5, height: 12, fill: scaleColour(i / 31)}))),
      el("span", {}, "best (by rank)")));
    return null;
  },
};
