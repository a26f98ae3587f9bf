// SPDX-License-Identifier: Apache-2.0
// One trial: how it was made, what became of it, its graph, and the edits
// from each parent in one picture.
import {el, number, duration, note, visible, shorten} from "./util.js";
import {load} from "./data.js";
import {editText, merge, picture, plain} from "./draw.js";

function facts(trial) {
  const rows = [["operator", trial.operator], ["outcome", trial.outcome ?? "under way"],
    ...(trial.numbers ? [] : [["score", number(trial.value)]])];
  if (trial.test != null && trial.test !== trial.value) rows.push(["test", number(trial.test)]);
  for (const [name, value] of Object.entries(trial.numbers ?? {}))
    rows.push([shorten(name, 40), number(value)]);
  if (trial.violation) rows.push(["violation", number(trial.violation)]);
  if (trial.cost != null) rows.push(["cost", number(trial.cost)]);
  if (trial.seconds != null) rows.push(["time", duration(trial.seconds)]);
  if (trial.slot) rows.push(["slot", trial.slot]);
  if (trial.cached != null) rows.push(["result of", "the isomorphic trial " + trial.cached]);
  return el("dl", {}, rows.flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, shorten(v, 200))]));
}

function words(title, text) {
  if (text == null) return [];
  const shown = typeof text === "string" ? text : JSON.stringify(text, null, 1);
  return [el("h3", {}, title), el("pre", {tabindex: 0}, shown.split("\n").map(visible).join("\n"))];
}

function fromParent(trial, parent) {
  const edits = parent.edits;
  const title = `From trial ${parent.trial}: ${edits.length} ${edits.length === 1 ? "edit" : "edits"}` +
    (parent.exact ? "" : `, at least ${number(parent.lower)}`);
  const graph = trial.graphs[parent.trial];
  return [el("h3", {}, title),
    el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": title},
      picture(merge(graph, edits), title)),
    el("ol", {class: "edits"}, edits.map((e) => el("li", {}, editText(e))))];
}

const editLegend = () => el("ul", {class: "legend"},
  ["inserted", "deleted", "relabelled"].map((state) => el("li", {}, el("span", {class: "key " + state}), state)));

export async function showTrial(dialog, study, number_, close) {
  let trial = null, failure = null;
  try {
    trial = await load("trial", study, {trial: number_});
  } catch (error) {
    failure = error.message;
  }
  const parts = [el("div", {class: "bar"}, el("h2", {id: "detail-title"}, "Trial " + number_),
    el("button", {class: "close", "aria-label": "Close", onclick: close}, "✕"))];
  if (!trial)
    parts.push(note(failure ? visible(failure)
      : "This report does not hold the details of this trial; 'sepx study trial' shows them."));
  else {
    parts.push(facts(trial));
    parts.push(el("h3", {}, "Graph"), el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "graph"},
      picture(plain(trial.graph), "graph of trial " + number_)));
    if (trial.parents.length) parts.push(editLegend());
    for (const parent of trial.parents) parts.push(...fromParent(trial, parent));
    parts.push(...words("Answer", trial.answer), ...words("Errors", trial.errors));
  }
  dialog.replaceChildren(...parts.flat());
  if (!dialog.open) dialog.showModal();
}
