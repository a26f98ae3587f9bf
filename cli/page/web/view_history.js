// SPDX-License-Identifier: Apache-2.0
// Best so far, every trial as a dot by operator, failed ones as ticks.
import {el, seriesColour, cssColour, legendRow, number, note, shorten} from "./util.js";
import {align, chart, choice, dots, steps, toggle} from "./chart.js";

const axes = [["trial", "trials"], ["elapsed", "time"], ["spent", "cost"]];
const axisTitle = {trial: "trial", elapsed: "seconds of the study", spent: "cost of all trials so far"};

function ticks(data, key) {
  const xs = data.failed[key];
  return (u) => {
    const {ctx, bbox} = u;
    ctx.save();
    ctx.strokeStyle = cssColour("--bad");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    for (const x of xs) {
      if (x == null) continue;
      const at = u.valToPos(x, "x", true);
      if (at < bbox.left || at > bbox.left + bbox.width) continue;
      ctx.moveTo(at, bbox.top + bbox.height);
      ctx.lineTo(at, bbox.top + bbox.height - 12 * devicePixelRatio);
    }
    ctx.stroke();
    ctx.restore();
  };
}

function build(data, key) {
  const series = data.ops.map(() => ({x: [], y: [], trial: []}));
  const xs = data.points[key];
  data.points.trial.forEach((trial, i) => {
    const s = series[data.points.op[i]];
    s.x.push(xs[i]);
    s.y.push(data.points.value[i]);
    s.trial.push(trial);
  });
  const best = {x: data.best[key].slice(), y: data.best.value.slice(),
    trial: data.best.trial.slice()};
  if (best.y.length) { // the line goes on to the end
    const last = Math.max(...series.map((s) => s.x.reduce((a, b) => Math.max(a, b ?? a), -Infinity)),
      best.x[best.x.length - 1] ?? 0);
    best.x.push(last);
    best.y.push(best.y[best.y.length - 1]);
    best.trial.push(best.trial[best.trial.length - 1]);
  }
  return [...series, best];
}

export const history = {
  name: "history", title: "History", document: "history",
  draw(place, data, {study, open, settings, redraw}) {
    const key = settings.x || "trial";
    place.append(el("div", {class: "controls"},
      choice("x axis", axes, key, (x) => redraw({x})),
      toggle("logarithmic", !!settings.log, (log) => redraw({log}))));
    if (!data.points.trial.length) {
      place.append(note("No trial has a score yet."));
      return null;
    }
    const parts = build(data, key);
    const {rows, source} = align(parts);
    const positive = rows.slice(1).every((row) => row.every((v) => v == null || v > 0));
    const box = el("div", {class: "chart"});
    place.append(box);
    const made = chart(box, {
      rows, x: axisTitle[key], y: shorten(study.objectives[0]?.name ?? "score", 40),
      logarithmic: settings.log && positive,
      series: [...data.ops.map((op, k) => dots(op, seriesColour(k), 5)),
        steps("best so far", cssColour("--ink"))],
      label: `${data.trials} trials; the best score so far is ${number(study.best)}, ` +
        `of trial ${study.best_trial}. The table of trials has all values.`,
      pick: (k, i) => open(parts[k].trial[source[k][i]]),
      hooks: {draw: [ticks(data, key)]},
    });
    place.append(legendRow([
      [cssColour("--ink"), "best so far", "line"],
      ...data.ops.map((op, k) => [seriesColour(k), op]),
      ...(data.failed.trial.length ? [[cssColour("--bad"), "no score", "tick"]] : [])]));
    if (settings.log && !positive)
      place.append(note("Some scores are 0 or below, so the axis stays linear."));
    if (data.thinned)
      place.append(note(`${data.trials} trials are more than a picture can show: of each ` +
        "operator and each short stretch, one trial, the lowest and the highest score are drawn."));
    place.append(el("p", {class: "hint"}, "Click a dot for its trial; drag to zoom in, " +
      "double-click to zoom out."));
    return made.end;
  },
};
