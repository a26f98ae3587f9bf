// SPDX-License-Identifier: Apache-2.0
// Several objectives of one study, and several studies beside each other.
import {el, number, note, seriesColour, cssColour, legendRow, shorten} from "./util.js";
import {align, chart, choice, dots, steps} from "./chart.js";

// The edge of what is dominated, in the plane of two objectives.
function boundary(points, x, y) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (x.maximize) sorted.reverse();
  const edge = [];
  for (const p of sorted) {
    const last = edge[edge.length - 1];
    if (!last || (y.maximize ? p.y > last.y : p.y < last.y)) edge.push(p);
  }
  return edge.sort((a, b) => a.x - b.x);
}

// A step at each point: of two neighbours the worse value of y holds between.
const edgeLine = (x, y, colour) => ({label: "front", stroke: colour, width: 2, spanGaps: true,
  paths: uPlot.paths.stepped({align: x.maximize ? -1 : 1}), points: {show: false}});

const STATES = [["barred", "violates a constraint", "--bad", 4], ["dominated", "dominated", "--dim", 5],
  ["front", "on the front", "--series-0", 10]];

export const front = {
  name: "front", title: "Front", document: "front",
  draw(place, data, {open, settings, redraw, study}) {
    const names = study.numbers, goals = study.objectives;
    const at = (i) => names.indexOf(goals[i].name);
    const x = Number(settings.fx ?? 0), y = Number(settings.fy ?? 1);
    const options = goals.map((o, i) => [String(i), shorten(o.name, 30) + (o.maximize ? ", more is better" : "")]);
    place.append(el("div", {class: "controls"},
      choice("x axis", options, String(x), (fx) => redraw({fx})),
      choice("y axis", options, String(y), (fy) => redraw({fy}))));
    if (!data.points.length) {
      place.append(note("No trial has all numbers yet."));
      return null;
    }
    const parts = STATES.map(([state]) => data.points.filter((p) => p.state === state)
      .map((p) => ({...p, x: p.values[at(x)], y: p.values[at(y)]})));
    const best = parts[2], edge = boundary(best, goals[x], goals[y]);
    const {rows, source} = align([edge, ...parts].map((list) =>
      ({x: list.map((p) => p.x), y: list.map((p) => p.y)})));
    const box = el("div", {class: "chart"});
    place.append(box);
    const made = chart(box, {rows, x: shorten(goals[x].name, 40), y: shorten(goals[y].name, 40),
      series: [edgeLine(goals[x], goals[y], seriesColour(0)),
        ...STATES.map(([state, , colour, size]) => dots(state, cssColour(colour), size))],
      label: `${best.length} trials on the front; the table below lists them`,
      pick: (k, i) => open([edge, ...parts][k][source[k][i]].trial)});
    place.append(legendRow(STATES.filter((s, k) => parts[k].length).reverse()
      .map(([, text, colour]) => [cssColour(colour), text])));
    if (goals.length > 2)
      place.append(note(`The front is that of all ${goals.length} objectives; two of them are shown.`));
    if (data.thinned)
      place.append(note("The whole front is drawn, and of the other trials as many as a picture can show."));
    place.append(el("p", {class: "hint"}, "Click a point for its graph" +
      (study.where.length ? `; only trials with ${study.where.map((w) => shorten(w, 60)).join(" and ")} count.` : ".")));
    place.append(el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "front"}, el("table", {},
      el("thead", {}, el("tr", {}, ["trial", ...names].map((n) => el("th", {scope: "col", class: "right"}, shorten(n, 30))))),
      el("tbody", {}, [...best].sort((a, b) => a.x - b.x).map((p) =>
        el("tr", {class: "pick", tabindex: 0, onclick: () => open(p.trial),
          onkeydown: (e) => { if (e.key === "Enter") open(p.trial); }},
        [p.trial, ...p.values].map((v) => el("td", {class: "right"}, number(v)))))))));
    return made.end;
  },
};

const label = (group) => `${shorten(group.method || "?", 60)}, ` +
  `${group.studies.length} ${group.studies.length === 1 ? "study" : "studies"}`;

export const compare = {
  name: "compare", title: "Compare", document: "compare", all: true,
  draw(place, data) {
    if (!data.trials) {
      place.append(note("Not every study has trials yet."));
      return null;
    }
    const rows = [data.trial, ...data.groups.flatMap((g) => [g.low, g.high, g.median])];
    const series = data.groups.flatMap((g, k) => [steps("", seriesColour(k), 0.5), steps("", seriesColour(k), 0.5),
      steps(label(g), seriesColour(k), 3)]);
    const bands = data.groups.map((g, k) => ({series: [3 * k + 2, 3 * k + 1], fill: seriesColour(k) + "38"}));
    const box = el("div", {class: "chart"});
    place.append(el("p", {class: "hint"}, "Best so far: median, and a band between the quartiles where a method has several " +
      "studies. Studies of equal space, evaluator, direction, method and rules count as one method."), box);
    const made = chart(box, {rows, series, bands, x: "trial", y: "best score so far",
      label: "best score so far of each method; the table below compares the ends"});
    place.append(legendRow(data.groups.map((g, k) => [seriesColour(k), label(g), "line"])));
    place.append(el("p", {class: "hint"}, `After ${data.trials} trials; two-sided Mann-Whitney tests, not corrected.`),
      el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "tests"}, el("table", {},
      el("thead", {}, el("tr", {}, ["first", "second", "first is smaller", "p"].map((t, i) =>
        el("th", {scope: "col", class: i > 1 ? "right" : null}, t)))),
      el("tbody", {}, data.tests.map((t) => el("tr", {}, el("td", {}, label(data.groups[t.a])),
        el("td", {}, label(data.groups[t.b])),
        el("td", {class: "right"}, (100 * t.effect).toFixed(0) + " %"),
        el("td", {class: "right"}, number(Number(t.p.toPrecision(2))))))))));
    if (!data.tests.length) place.append(note("A test needs two methods."));
    return made.end;
  },
};
