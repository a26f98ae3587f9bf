// SPDX-License-Identifier: Apache-2.0
// The page: its head, its tabs, and which view of which study is shown. The
// address keeps both (#history, #1/trials), so that a reload shows the same.
import {el, number, duration, note, shorten, visible} from "./util.js";
import {held, load, follow, isReport} from "./data.js";
import {history} from "./view_history.js";
import {gallery, lineage, map} from "./view_graphs.js";
import {operators, trials, workers} from "./view_tables.js";
import {front, compare} from "./view_compare.js";
import {showTrial} from "./detail.js";

const views = [history, front, gallery, lineage, map, operators, trials, workers, compare];
const state = {studies: [], index: 0, view: "history", settings: {}, connected: true};
const head = document.getElementById("head"), tabs = document.getElementById("tabs");
const main = document.getElementById("main"), dialog = document.getElementById("detail");
let end = null, turn = 0, shownText = null, shownView = null, shownEvents = null;

const available = () => views.filter((view) =>
  (view !== compare || state.studies.length > 1) &&
  (view !== front || (state.studies[state.index]?.objectives?.length ?? 0) > 1));

function readAddress() {
  const parts = decodeURIComponent(location.hash.slice(1)).split("/");
  const index = parts.length > 1 ? Number(parts[0]) : 0;
  state.index = index >= 0 && index < state.studies.length ? index : 0;
  const wanted = parts[parts.length - 1];
  state.view = available().some((v) => v.name === wanted) ? wanted : "history";
}

function go(change) {
  const next = {...state, ...change};
  location.hash = (state.studies.length > 1 ? next.index + "/" : "") + next.view;
}

function drawHead() {
  const study = state.studies[state.index];
  const pick = state.studies.length > 1
    ? el("select", {"aria-label": "study", onchange: (e) => go({index: Number(e.target.value)})},
      state.studies.map((s, i) => el("option", {value: i, selected: i === state.index},
        shorten(s.name, 40) + (s.fault ? " (unreadable)" : ""))))
    : el("span", {class: "name"}, shorten(study.name, 60));
  const title = (chip) => el("h1", {}, el("span", {class: "brand"}, "sepx"), " ", pick, " ",
    el("span", {class: "chip " + chip[0], role: "status"}, chip[1]));
  document.title = shorten(study.name, 60) + " – sepx";
  if (study.fault) {
    head.replaceChildren(title(["lost", state.connected ? "unreadable" : "connection lost"]));
    return;
  }
  const progress = study.goal ? `${study.told} of ${study.goal}` : String(study.told);
  const chip = isReport ? ["report", "a report"] : !state.connected ? ["lost", "connection lost"]
    : study.running ? ["running", "running"]
      : ["rest", study.goal && study.told >= study.goal ? "finished" : "not running"];
  const method = study.settings.method || "";
  head.replaceChildren(
    title(chip),
    el("p", {class: "sub"}, shorten(`${method} on ${study.settings.space || "?"}` +
      (study.settings.evaluator ? `, scored by ${study.settings.evaluator}` : ""), 160)),
    el("dl", {class: "facts"}, [
      ["trials", progress],
      [study.objectives.length ? "best " + shorten(study.objectives[0].name, 20) : "best", number(study.best) + (study.best_trial != null ? ` (trial ${study.best_trial})` : "")],
      ["no score", String(study.failed)], ["isomorphs", String(study.cached)],
      ["time", duration(study.elapsed)]].map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v)))));
}

function drawTabs() {
  const shown = available();
  tabs.replaceChildren(el("ul", {role: "tablist"}, shown.map((view, i) =>
    el("li", {role: "presentation"}, el("a", {role: "tab", href: "#" + (state.studies.length > 1 ? state.index + "/" : "") + view.name,
      id: "tab-" + view.name, "aria-selected": String(view.name === state.view), "aria-controls": "main",
      tabindex: view.name === state.view ? 0 : -1, title: "key " + (i + 1)}, view.title)))));
  main.setAttribute("role", "tabpanel");
  main.setAttribute("aria-labelledby", "tab-" + state.view);
}

const eventsOf = () => state.studies.map((study) => study.fault ?? study.events).join();

const open = (trial) => showTrial(dialog, state.index, trial, () => dialog.close());

function redraw(change) {
  Object.assign(state.settings, change);
  drawView();
}

// A view that was left while it was fetched is not drawn, and one whose
// document is the same as before stays as it is.
async function drawView(onlyNew) {
  const mine = ++turn, events = eventsOf();
  const view = views.find((v) => v.name === state.view);
  const place = el("div", {class: "view view-" + view.name});
  const fault = view.all ? null : state.studies[state.index].fault;
  try {
    if (fault) throw new Error(fault);
    const data = view.document ? await load(view.document, view.all ? null : state.index, {}) : null;
    if (mine !== turn) return;
    shownEvents = events;
    const text = onlyNew && data ? JSON.stringify(data) : null;
    if (text && text === shownText) return;
    shownText = view.document && !isReport ? text ?? JSON.stringify(data) : null;
    const same = shownView === state.index + "/" + view.name;
    const focus = same ? keepFocus() : () => {};
    const scroll = same ? keepScroll() : () => {};
    shownView = state.index + "/" + view.name;
    if (end) end();
    end = null;
    main.replaceChildren(place);
    if (view.document && !data) place.append(note("This report does not hold this view."));
    else
      end = await view.draw(place, data, contextOf());
    scroll();
    focus();
  } catch (error) {
    shownText = shownView = null;
    if (mine === turn) main.replaceChildren(note("Could not be shown: " + visible(error.message)));
  }
}

// What has the focus is made anew with the view: the same place gets it.
function keepFocus() {
  const at = [...main.querySelectorAll("select, input, button, [tabindex]")].indexOf(document.activeElement);
  return () => {
    if (at >= 0) main.querySelectorAll("select, input, button, [tabindex]")[at]?.focus({preventScroll: true});
  };
}

// So do the boxes that scroll.
function keepScroll() {
  const boxes = () => [...main.querySelectorAll(".virtual, .scroll")];
  const were = boxes().map((box) => [box.scrollLeft, box.scrollTop]);
  return () => boxes().forEach((box, i) => { if (were[i]) [box.scrollLeft, box.scrollTop] = were[i]; });
}

async function refresh() {
  try {
    state.studies = await load("studies", null, {});
    drawHead();
    if (!dialog.open && shownEvents !== eventsOf()) await drawView(true);
  } catch {
    connection(false);
  }
}

function connection(is) {
  if (state.connected === is) return;
  state.connected = is;
  drawHead();
}

function show() {
  readAddress();
  drawHead();
  drawTabs();
  drawView();
}

const contextOf = () => ({study: state.studies[state.index], index: state.index, open,
  settings: state.settings, redraw});

// A report prints all of its views, whichever is shown, on light paper.
// What it holds is there at once, as the event demands.
function printAll() {
  document.documentElement.classList.add("printing");
  const sheets = available().filter((view) => view.document).map((view) => {
    const place = el("div", {class: "view view-" + view.name});
    main.append(el("section", {class: "sheet"}, el("h2", {class: "sheet-title"}, view.title), place));
    return [view, place];
  });
  for (const [view, place] of sheets) {
    const data = held(view.document, view.all ? null : state.index);
    if (data) view.draw(place, data, contextOf());
  }
}

function printed() {
  document.documentElement.classList.remove("printing");
  main.querySelectorAll(".sheet").forEach((sheet) => sheet.remove());
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || dialog.open) return;
  if (["INPUT", "SELECT"].includes(event.target.tagName)) return;
  const shown = available();
  const here = shown.findIndex((v) => v.name === state.view);
  const onTab = event.target.getAttribute?.("role") === "tab";
  let next = -1;
  if (/^[1-9]$/.test(event.key)) next = Number(event.key) - 1;
  else if (onTab && event.key === "ArrowRight") next = (here + 1) % shown.length;
  else if (onTab && event.key === "ArrowLeft") next = (here + shown.length - 1) % shown.length;
  if (next < 0 || next >= shown.length) return;
  event.preventDefault();
  go({view: shown[next].name});
  if (onTab) setTimeout(() => tabs.querySelector("[aria-selected=true]")?.focus(), 0);
}

async function start() {
  try {
    state.studies = await load("studies", null, {});
  } catch (error) {
    main.replaceChildren(note("The study cannot be read: " + visible(error.message)));
    return;
  }
  window.addEventListener("hashchange", show);
  document.addEventListener("keydown", keys);
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawView());
  if (isReport) {
    window.addEventListener("beforeprint", printAll);
    window.addEventListener("afterprint", printed);
  }
  show();
  follow(refresh, connection);
}

start();
