// SPDX-License-Identifier: Apache-2.0
// Elements, numbers and colours. All texts of a study become text nodes.

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child != null));
  return node;
}

export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  const space = "http://www.w3.org/2000/svg";
  return fill(document.createElementNS(space, tag), attributes, children);
}

// Six digits, as the command line prints them.
export function number(value) {
  if (value == null || Number.isNaN(value)) return "–";
  return String(Number(Number(value).toPrecision(6)));
}

export function duration(seconds) {
  if (seconds == null) return "–";
  const short = seconds < 1e-3 ? [1e6, " µs"] : seconds < 1 ? [1e3, " ms"] : null;
  if (short) return Number((seconds * short[0]).toPrecision(2)) + short[1];
  if (seconds < 60) return seconds.toFixed(1) + " s";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + " min " + Math.floor(seconds % 60) + " s";
  return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
}

// Control characters show as their pictures, so that no text can hide.
export function visible(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/g,
    (c) => (c < " " ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : "\ufffd"));
}

export function shorten(text, most) {
  const letters = Array.from(visible(text));
  return letters.length <= most ? letters.join("")
    : letters.slice(0, most - 1).join("") + "…";
}

export function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// The palette of Okabe and Ito, in an order whose neighbours differ.
export function seriesColour(index) {
  return cssColour("--series-" + (index % 8));
}

// The colour of an operation follows from its text alone, as in `sepx draw`.
export function operationColour(label) {
  const colours = ["#77aadd", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00",
    "#eedd88", "#ee8866", "#ffaabb"];
  if (!label) return "#ffffff";
  let hash = 2386;
  for (const byte of new TextEncoder().encode(label))
    hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return colours[((hash ^ (hash >>> 15)) >>> 0) % 8];
}

// From dark blue to yellow: even steps for every kind of sight (cividis).
export function scaleColour(share) {
  const stops = [[0, 32, 76], [65, 77, 107], [124, 123, 120],
    [187, 175, 113], [255, 234, 70]];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const mix = stops[low].map((c, i) =>
    Math.round(c + (stops[low + 1][i] - c) * (at - low)));
  return "rgb(" + mix.join(",") + ")";
}

export function legendRow(entries) {
  return el("ul", {class: "legend"}, entries.map(([colour, text, shape]) =>
    el("li", {}, swatch(colour, shape), visible(text))));
}

function swatch(colour, shape) {
  const mark = shape === "line"
    ? svg("path", {d: "M1 7H13", stroke: colour, "stroke-width": 3})
    : shape === "tick"
      ? svg("path", {d: "M7 2V12", stroke: colour, "stroke-width": 2})
      : svg("circle", {cx: 7, cy: 7, r: 5, fill: colour});
  return svg("svg", {width: 14, height: 14, "aria-hidden": "true"}, mark);
}

export function note(text) {
  return el("p", {class: "note"}, text);
}
