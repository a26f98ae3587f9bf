// SPDX-License-Identifier: Apache-2.0
// Charts by uPlot, in the colours of the page.
import {el, cssColour, number} from "./util.js";

function axis(label, extra) {
  const ink = cssColour("--ink"), grid = cssColour("--grid");
  return {label, stroke: ink, font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif", labelSize: 20, labelGap: 2, size: 30,
    grid: {stroke: grid, width: 1}, ticks: {stroke: grid, width: 1}, ...extra};
}

// Points of several series in one list of x, as uPlot wants them. A series is
// {x, y}; values that are not there are null.
export function align(series) {
  const at = [];
  series.forEach((s, k) => s.x.forEach((x, i) => {
    if (x != null && s.y[i] != null) at.push([x, k, s.y[i], i]);
  }));
  at.sort((a, b) => a[0] - b[0]);
  const rows = [at.map((p) => p[0]), ...series.map(() => new Array(at.length).fill(null))];
  const source = series.map(() => new Array(at.length).fill(-1));
  at.forEach((p, i) => {
    rows[p[1] + 1][i] = p[2];
    source[p[1]][i] = p[3];
  });
  return {rows, source};
}

export const dots = (label, colour, size = 5) => ({label, stroke: colour,
  paths: () => null, points: {show: true, size, fill: colour, stroke: colour, width: 0}});

export const steps = (label, colour, width = 2.5) => ({label, stroke: colour, width,
  spanGaps: true, paths: uPlot.paths.stepped({align: 1}), points: {show: false}});

export const line = (label, colour) => ({label, stroke: colour, width: 2, spanGaps: true,
  points: {show: true, size: 5, fill: colour}});

// The nearest point to the cursor: [series, row], or null.
function nearest(u, most) {
  const {left, top} = u.cursor;
  let best = null, least = most * most;
  for (let k = 1; k < u.data.length; k++) {
    if (!u.series[k].show) continue;
    u.data[k].forEach((y, i) => {
      if (y == null) return;
      const dx = u.valToPos(u.data[0][i], "x") - left;
      const dy = u.valToPos(y, "y") - top;
      if (dx * dx + dy * dy < least) {
        least = dx * dx + dy * dy;
        best = [k - 1, i];
      }
    });
  }
  return best;
}

// A chart that follows the width of its place. `pick` is told the series and
// row of a point that is clicked.
export function chart(place, {rows, series, x, y, logarithmic, height = 380, label, pick,
  hooks = {}, bands, padding}) {
  const width = () => Math.max(260, place.clientWidth);
  const u = new uPlot({
    width: width(), height, bands, padding,
    scales: {x: {time: false}, y: logarithmic ? {distr: 3} : {}},
    axes: [axis(x), axis(y, {size: 54, values: (_, ticks) => ticks.map((t) => (t == null ? "" : number(t)))})],
    series: [{}, ...series],
    legend: {show: false},
    cursor: {drag: {x: true, y: false}, points: {show: false}},
    hooks,
  }, rows, place);
  u.over.setAttribute("role", "img");
  u.over.setAttribute("aria-label", label);
  if (pick) {
    let down = [0, 0];
    u.over.addEventListener("mousedown", (e) => { down = [e.clientX, e.clientY]; });
    u.over.addEventListener("click", (e) => {
      if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      const found = nearest(u, 24);
      if (found) pick(...found);
    });
    u.over.classList.add("picks");
  }
  const resize = new ResizeObserver(() => u.setSize({width: width(), height}));
  resize.observe(place);
  return {u, end() {
    resize.disconnect();
    u.destroy();
  }};
}

export function choice(label, options, value, change) {
  return el("label", {class: "choice"}, label + " ",
    el("select", {onchange: (e) => change(e.target.value)},
      options.map(([key, text]) => el("option", {value: key, selected: key === value}, text))));
}

export function toggle(label, value, change) {
  return el("label", {class: "choice"},
    el("input", {type: "checkbox", checked: value, onchange: (e) => change(e.target.checked)}),
    " " + label);
}
