// SPDX-License-Identifier: Apache-2.0
// Operators, trials and workers.
import {el, svg, number, duration, note, seriesColour, cssColour, legendRow, shorten,
  visible} from "./util.js";
import {load, isReport} from "./data.js";
import {chart, line} from "./chart.js";

const sum = (list) => list.reduce((a, b) => a + b, 0);
const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(1) + " %" : "–");

// How many of the steps have trials.
const stepsOf = (data) => data.ops[0].asked.reduce((last, _, t) =>
  (data.ops.some((op) => op.asked[t]) ? t + 1 : last), 0);

// Shares of what was asked, stacked over time.
function sharesOverTime(data) {
  const width = 640, height = 140, steps = stepsOf(data);
  const root = svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "shares", role: "img",
    preserveAspectRatio: "none",
    "aria-label": "share of each operator over time; the table below has the totals"});
  for (let t = 0; t < steps; t++) {
    const all = sum(data.ops.map((op) => op.asked[t]));
    let top = height;
    data.ops.forEach((op, k) => {
      const part = all ? op.asked[t] / all * height : 0;
      top -= part;
      if (part > 0)
        root.append(svg("rect", {x: t * width / steps, y: top.toFixed(2), width: width / steps - 1,
          height: part.toFixed(2), fill: seriesColour(k)},
        svg("title", {}, `${op.name}: ${op.asked[t]} of ${all}, new bests: ${op.best[t]}`)));
    });
  }
  return root;
}

// How many were better than their parents, of those that had any.
function successOverTime(place, data) {
  const bred = data.ops.map((op, k) => [op, k]).filter(([op]) => sum(op.bred));
  const steps = stepsOf(data);
  if (!bred.length || steps < 2) return () => {};
  const xs = Array.from({length: steps}, (_, t) => (t + 0.5) * data.per);
  const box = el("div", {class: "chart"});
  place.append(el("h2", {}, "Better than their parents, over time"), box);
  return chart(box, {height: 220, x: "trial", y: "% of trials with parents",
    rows: [xs, ...bred.map(([op]) => xs.map((_, t) => (op.bred[t] ? 100 * op.better[t] / op.bred[t] : null)))],
    series: bred.map(([op, k]) => line(op.name, seriesColour(k))),
    label: "share of trials better than their parents over time; the table below has the totals"}).end;
}

export const operators = {
  name: "operators", title: "Operators", document: "operators",
  draw(place, data) {
    if (!data.ops.length) {
      place.append(note("There are no trials yet."));
      return null;
    }
    place.append(el("h2", {}, "Share of trials over time"), sharesOverTime(data),
      legendRow(data.ops.map((op, k) => [seriesColour(k), op.name])));
    const end = successOverTime(place, data);
    place.append(el("h2", {}, "In total"), el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "operators"},
      el("table", {}, el("thead", {}, el("tr", {}, ["operator", "trials", "scored", "better", "share", "gain", "new bests"].map((t, i) =>
        el("th", {scope: "col", class: i ? "right" : null}, t)))),
      el("tbody", {}, data.ops.map((op) => el("tr", {},
        el("th", {scope: "row"}, shorten(op.name, 40)),
        [sum(op.asked), sum(op.scored), sum(op.better), percent(sum(op.better), sum(op.bred)),
          sum(op.better) ? number(Number((op.gain / sum(op.better)).toPrecision(3))) : "–", sum(op.best)]
          .map((v) => el("td", {class: "right"}, String(v)))))))),
    el("p", {class: "hint"}, "Better: better than every parent, and the share of those that have parents. Gain: by how " +
      "much these are better than the better parent, on average. New best: better than all before."));
    return end;
  },
};

// ---- trials ----

const ROW = 34, PAGE = 100;

// What the server sorts by, the title, and the place in a row; numbers of
// several objectives stand behind parents and the isomorph.
const columnsOf = (study) => [["trial", "trial", 0], ["operator", "operator", 1], ["outcome", "outcome", 2],
  ["value", "value", 3], ["test", "test", 4], ["cost", "cost", 5], ["seconds", "time", 6],
  ...study.numbers.map((name, i) => ["number" + i, shorten(name, 20), 10 + i])];

function cells(row, columns) {
  return columns.map(([, , at]) => el("td", {class: at === 1 || at === 2 ? null : "right"},
    at === 0 ? String(row[0]) : at < 3 ? shorten(row[at], 30)
      : at === 6 ? duration(row[at]) : number(row[at])));
}

// Rows of one order and filter, fetched by pages as they come into sight.
class Rows {
  constructor(study, query) {
    Object.assign(this, {study, query, pages: new Map(), total: 0});
  }

  async page(k) {
    if (!this.pages.has(k))
      this.pages.set(k, load("trials", this.study, {...this.query, from: k * PAGE, count: PAGE}));
    const found = await this.pages.get(k);
    if (found) this.total = found.total;
    return found ? found.rows : [];
  }
}

// A report holds its rows in one list.
class Listed {
  constructor(document, query, columns) {
    const at = columns.find((c) => c[0] === query.sort)?.[2] ?? 0;
    const wanted = query.find || "";
    this.rows = document.rows.filter((r) => !wanted || String(r[0]) === wanted ||
      String(r[1]).includes(wanted) || String(r[2]).includes(wanted));
    this.rows.sort((a, b) => {
      const x = a[at], y = b[at];
      if ((x == null) !== (y == null)) return x == null ? 1 : -1;
      const order = x < y ? -1 : x > y ? 1 : a[0] - b[0];
      return query.down ? -order : order;
    });
    this.total = this.rows.length;
  }

  async page(k) {
    return this.rows.slice(k * PAGE, (k + 1) * PAGE);
  }
}

export const trials = {
  name: "trials", title: "Trials", document: null,
  async draw(place, _, {study, index, open, settings, redraw}) {
    const query = {sort: settings.sort || "trial", down: settings.down ? 1 : 0};
    if (settings.find) query.find = settings.find;
    const whole = isReport ? await load("trials", index, {}) : null;
    const columns = columnsOf(study);
    const rows = isReport ? new Listed(whole, query, columns) : new Rows(index, query);
    await rows.page(0);

    const body = el("tbody", {});
    const above = el("tr", {"aria-hidden": "true"}), below = el("tr", {"aria-hidden": "true"});
    const box = el("div", {class: "virtual", tabindex: 0, role: "region", "aria-label": "trials"},
      el("table", {"aria-rowcount": rows.total + 1}, el("thead", {}, el("tr", {}, columns.map(([name, title, at]) =>
        el("th", {scope: "col", class: at === 1 || at === 2 ? null : "right",
          "aria-sort": query.sort === name ? (query.down ? "descending" : "ascending") : null},
        el("button", {class: "plain", onclick: () => redraw({sort: name,
          down: query.sort === name ? !query.down : false})},
        title, query.sort === name ? (query.down ? " ▾" : " ▴") : ""))))), body));
    const search = el("input", {type: "search", value: settings.find || "", "aria-label": "find trials",
      size: 26, placeholder: "number, operator or outcome",
      onchange: (e) => redraw({find: e.target.value.replace(/[&=]/g, "").slice(0, 60)})});
    place.append(el("div", {class: "controls"}, el("label", {class: "choice"}, "Find ", search),
      el("span", {class: "sub"}, `${rows.total} of ${study.asked} trials`)), box);
    if (whole && whole.total > whole.rows.length)
      place.append(note(`This report holds ${whole.rows.length} of ${whole.total} trials; ` +
        "'sepx study export' writes all."));
    let shown = "";
    const show = async () => {
      const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 10);
      const last = Math.min(rows.total, first + Math.ceil(box.clientHeight / ROW) + 20);
      if (shown === first + ":" + last) return;
      shown = first + ":" + last;
      const pages = [];
      for (let k = Math.floor(first / PAGE); k * PAGE < last; k++) pages.push(await rows.page(k));
      const from = Math.floor(first / PAGE) * PAGE;
      const list = pages.flat().slice(first - from, last - from);
      above.replaceChildren(el("td", {colspan: columns.length, class: "spacer"}));
      below.replaceChildren(el("td", {colspan: columns.length, class: "spacer"}));
      above.firstChild.style.height = first * ROW + "px";
      below.firstChild.style.height = Math.max(0, rows.total - last) * ROW + "px";
      body.replaceChildren(above, ...list.map((row, i) => el("tr", {class: "pick", "aria-rowindex": first + i + 2,
        tabindex: 0, onclick: () => open(row[0]),
        onkeydown: (e) => { if (e.key === "Enter") open(row[0]); }}, cells(row, columns))), below);
    };
    box.addEventListener("scroll", show, {passive: true});
    await show();
    return null;
  },
};

// ---- workers ----

function outcomeColour(name) {
  return name === "scored" ? cssColour("--good") : name === "unfit" ? cssColour("--dim") : cssColour("--bad");
}

// Evaluations without a slot's name lie in rows of which none has two at once.
function inRows(data) {
  const free = [], named = data.slots.length;
  const spans = data.spans.filter((s) => s[2] != null && s[3] != null).sort((a, b) => a[2] - b[2])
    .map(([trial, slot, from, to, outcome]) => {
      if (slot >= 0) return {trial, row: slot, from, to, outcome};
      let k = free.findIndex((t) => t <= from + 1e-6);
      if (k < 0) k = free.length;
      free[k] = to;
      return {trial, row: named + k, from, to, outcome};
    });
  return {spans, slots: [...data.slots, ...free.map((_, k) => (named ? "unnamed " : "worker ") + (k + 1))]};
}

function timeline(data, open, width) {
  const {spans, slots} = inRows(data);
  const row = 26, left = Math.min(140, width / 4);
  const begin = spans.reduce((a, s) => Math.min(a, s.from), Infinity);
  const end = Math.max(data.elapsed || 0, begin + 1e-9);
  const x = (t) => left + (t - begin) / (end - begin) * (width - left - 8);
  const root = svg("svg", {viewBox: `0 0 ${width} ${slots.length * row + 26}`, class: "timeline", role: "img", width,
    "aria-label": `${spans.length} evaluations on ${slots.length} slots`});
  slots.forEach((slot, k) => root.append(
    svg("text", {x: left - 8, y: k * row + 17, class: "label end"}, shorten(slot, Math.floor(left / 8))),
    svg("rect", {x: left, y: k * row + 3, width: width - left - 8, height: row - 6, class: "track"})));
  for (const {trial, row: k, from, to, outcome} of spans) {
    root.append(svg("rect", {x: x(from).toFixed(2), y: k * row + 3,
      width: Math.max(0.8, x(to) - x(from) - 0.4).toFixed(2), height: row - 6, class: "span",
      fill: outcomeColour(data.outcomes[outcome]), onclick: () => open(trial)},
    svg("title", {}, `trial ${trial}: ${data.outcomes[outcome]}, ${duration(to - from)}`)));
  }
  root.append(svg("text", {x: left, y: slots.length * row + 18, class: "label begin"}, duration(begin)),
    svg("text", {x: width - 8, y: slots.length * row + 18, class: "label end"}, duration(end)));
  return root;
}

// The last line of an error is the one that mostly says what it was.
function lastLine(errors) {
  const plain = (errors || "").replace(/\u001b\[[0-9;]*[A-Za-z]/g, ""); // colours of terminals
  const line = plain.split("\n").findLast((text) => /[\p{L}\p{N}]/u.test(text))?.trim();
  return line ? ": " + shorten(line, 100) : "";
}

export const workers = {
  name: "workers", title: "Workers", document: "workers",
  draw(place, data, {open}) {
    if (!data.spans.length) {
      place.append(note("No evaluation has ended yet."));
      return null;
    }
    place.append(el("h2", {}, "Slots over time"), el("div", {class: "scroll", tabindex: 0, role: "region",
      "aria-label": "slots over time"}, timeline(data, open, Math.max(300, place.clientWidth))),
    legendRow([[cssColour("--good"), "scored"], [cssColour("--dim"), "unfit"], [cssColour("--bad"), "failed"]]));
    place.append(el("h2", {}, "Failures"));
    if (!data.failures.length) place.append(note("None."));
    for (const f of data.failures) {
      place.append(el("details", {class: "failure"},
        el("summary", {}, `trial ${f.trial}: ${visible(f.outcome)} after ${duration(f.seconds)}` +
          (f.slot ? " on " + shorten(f.slot, 30) : "") + lastLine(f.errors)),
        el("pre", {tabindex: 0}, f.errors ? f.errors.split("\n").map(visible).join("\n") : "no message"),
        el("button", {onclick: () => open(f.trial)}, "Show the trial")));
    }
    return null;
  },
};
