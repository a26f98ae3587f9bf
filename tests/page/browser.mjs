// SPDX-License-Identifier: Apache-2.0
// The page of studies in a browser: browser.mjs SEPX [FOLDER FOR PICTURES]
//
// Every view of a study that runs, is killed and resumed; light and dark, wide
// and narrow; reports from the disk; hostile texts; accessibility by axe-core.
// No request may leave the page's origin, and no policy may be violated.
import {spawn, spawnSync} from "node:child_process";
import {mkdtempSync, writeFileSync, chmodSync, rmSync, readFileSync, existsSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {once} from "node:events";

const require = createRequire(join(process.env.SEPX_NODE_MODULES || process.cwd(), "x.js"));
const {chromium} = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const sepx = resolve(process.argv[2]), pictures = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), "sepx-page-"));
const VIEWS = ["history", "gallery", "lineage", "map", "operators", "trials", "workers"];
const HOSTILE = "<img src=x onerror=alert(1)>\"'&</script><script>alert(2)</script>";
let passed = 0;
const faults = [];

function check(good, ...words) {
  if (good) passed++;
  else {
    faults.push(words.join(" "));
    console.log("FAULT:", ...words);
  }
}

function run(...words) {
  const done = spawnSync(sepx, words, {cwd: folder, encoding: "utf8"});
  if (done.status !== 0) throw new Error(words.join(" ") + ": " + done.stderr);
}

function begin(...words) {
  return spawn(sepx, words, {cwd: folder, stdio: ["ignore", "pipe", "ignore"]});
}

async function watch(...names) {
  const process_ = begin("study", "watch", ...names);
  let text = "";
  for await (const piece of process_.stdout) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return {process: process_, url: text.trim()};
}

async function stop(server) {
  server.process.kill("SIGINT");
  if (server.process.exitCode === null) await once(server.process, "exit");
}

// A page whose every fault is noted.
async function open(browser, url, {width = 1280, scheme = "light", about = ""} = {}) {
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme: scheme});
  const page = await context.newPage();
  const origin = url.startsWith("file:") ? "file:" : new URL(url).origin;
  const note = (what) => check(false, about, width, scheme, what);
  page.on("pageerror", (error) => note("error: " + error.message));
  page.on("console", (m) => {
    if (page.isAlone && m.text().includes("net::ERR")) return; // its server is gone
    if (["error", "warning"].includes(m.type())) note(m.type() + ": " + m.text());
  });
  page.on("request", (r) => { if (!r.url().startsWith(origin)) note("request to " + r.url()); });
  page.on("dialog", (d) => { note("dialog: " + d.message()); d.dismiss(); });
  await page.addInitScript(() => document.addEventListener("securitypolicyviolation",
    (e) => console.error("policy violated: " + e.violatedDirective)));
  await page.goto(url);
  await page.waitForSelector(".view");
  return page;
}

// The page's policy forbids playwright's own waiting for functions.
async function until(page, wanted, argument) {
  for (let k = 0; k < 600; k++) {
    if (await page.evaluate(wanted, argument)) return;
    await page.waitForTimeout(100);
  }
  throw new Error("waited in vain for " + wanted);
}

async function show(page, view) {
  await page.evaluate((v) => { location.hash = v; }, view);
  await page.waitForSelector(".view-" + view.split("/").pop() + " > *");
}

async function lookAt(page, about, view) {
  await show(page, view);
  const wide = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  check(wide <= 0, about, view, "is", wide, "pixels too wide");
  const text = await page.textContent("main");
  check(!text.includes("Could not be shown"), about, view, text.slice(0, 200));
  if (pictures) {
    await page.waitForTimeout(150);
    await page.screenshot({path: join(pictures, about + "-" + view.replace("/", "-") + ".png")});
  }
}

async function accessible(page, about) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
  const serious = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
  check(serious.length === 0, about, JSON.stringify(serious.map((v) => [v.id, v.nodes[0].html.slice(0, 160),
    v.nodes[0].failureSummary?.slice(0, 200)])));
}

const LOOKS = [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]];

async function everyView(browser, url, about, {views = VIEWS, looks = LOOKS} = {}) {
  for (const [width, scheme] of looks) {
    const page = await open(browser, url, {width, scheme, about});
    for (const view of views) {
      await lookAt(page, `${about}-${width}-${scheme}`, view);
      if (width === 1280 || scheme === "light") await accessible(page, `${about} ${width} ${scheme} ${view}`);
    }
    await show(page, views.find((v) => v.endsWith("gallery")) || "gallery");
    await page.click(".card");
    await page.waitForSelector("dialog[open] svg.graph");
    await accessible(page, `${about} ${width} ${scheme} detail`);
    if (pictures) await page.screenshot({path: join(pictures, `${about}-${width}-${scheme}-detail.png`)});
    await page.keyboard.press("Escape");
    check(!(await page.$("dialog[open]")), about, "Escape closes a trial");
    await page.context().close();
  }
}

// ---- tests ----

async function testRunning(browser) {
  writeFileSync(join(folder, "nap"), "#!/bin/sh\nsleep 0.1\nwc -c\n");
  chmodSync(join(folder, "nap"), 0o755);
  const words = ["study", "run", "live.study", "-q", "--evals"];
  run(...words, "12", "-e", "command:./nap", "--workers", "2", "-m", "sep:population=6,tournament=2");
  let study = begin(...words, "100000");
  const server = await watch("live.study");
  const page = await open(browser, server.url, {about: "running"});
  check(!page.url().includes("token"), "the token stays in the address");
  await page.waitForSelector(".chip.running");
  const told = async () => Number((await page.textContent(".facts dd")).split(" ")[0]);
  const before = await told();
  await until(page, (n) => Number(document.querySelector(".facts dd").textContent.split(" ")[0]) > n + 5, before);
  for (const view of VIEWS) await lookAt(page, "running", view);
  check((await page.$$(".timeline .track")).length === 2, "a row for each of two workers");
  // No evaluation hides another.
  check(await page.$$eval(".timeline .span", (list) => {
    const end = new Map();
    return list.map((r) => ["x", "y", "width"].map((k) => r[k].baseVal.value)).sort((a, b) => a[0] - b[0])
      .every(([x, y, width]) => {
        const free = (end.get(y) ?? -1) <= x + 1;
        end.set(y, x + width);
        return free;
      });
  }), "evaluations overlap");
  study.kill("SIGKILL");
  await page.waitForSelector(".chip.rest");
  check(true);
  const killed = await told();
  study = begin(...words, "100000");
  await page.waitForSelector(".chip.running");
  await until(page, (n) => Number(document.querySelector(".facts dd").textContent.split(" ")[0]) > n, killed);
  check((await told()) > killed, "goes on after the kill");
  study.kill("SIGKILL");
  page.isAlone = true;
  server.process.kill("SIGKILL");
  await page.waitForSelector(".chip.lost");
  await page.context().close();
}

async function testKeys(browser, url) {
  const page = await open(browser, url, {about: "keys"});
  for (const [key, view] of [["2", "gallery"], ["1", "history"], ["6", "trials"]]) {
    await page.keyboard.press(key);
    await page.waitForSelector(".view-" + view);
    check(true);
  }
  await page.focus("[role=tab][aria-selected=true]");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".view-workers");
  await show(page, "trials");
  await page.click("th button:has-text('value')");
  await page.waitForSelector("th[aria-sort=ascending] button:has-text('value')");
  const values = await page.$$eval("tbody tr.pick td:nth-child(4)", (cells) => cells.map((c) => Number(c.textContent)));
  check(values.length > 5 && values.every((v, i) => !i || v >= values[i - 1]), "sorted", values.slice(0, 5));
  await page.fill("input[type=search]", "17");
  await page.keyboard.press("Enter");
  await until(page, () => document.querySelectorAll("tbody tr.pick").length === 1);
  await page.click("tbody tr.pick");
  await page.waitForSelector("dialog[open] svg.graph");
  check((await page.textContent("#detail-title")) === "Trial 17", "the trial of a row");
  await page.keyboard.press("Escape");
  check((await page.textContent(".chip")) === "finished", "a study that is at its end");
  // Another view does not take over the focus of the last one.
  await show(page, "map");
  check(await page.evaluate(() => !document.activeElement.closest("main")), "the focus after a change of view");
  // The best is in sight, however wide the tree is.
  await page.setViewportSize({width: 390, height: 900});
  await show(page, "lineage");
  const [box, best] = await page.evaluate(() => [".scroll", ".person.best"].map((s) => {
    const {left, right} = document.querySelector(s).getBoundingClientRect();
    return [left, right];
  }));
  check(best[0] >= box[0] && best[1] <= box[1], "the best of the tree is at", best, "of", box);
  await page.context().close();
}

async function testHostile(browser) {
  const label = HOSTILE.slice(0, 200);
  const space = {format: "sepx-space", version: 1, nodes: {input: {role: "input", count: 1},
    output: {role: "output", count: 1}, [label]: {}, ["界".repeat(80)]: {}},
  edge_labels: [HOSTILE, "b"], limits: {nodes: [3, 6]}, acyclic: true, connected: "required", prune: true};
  writeFileSync(join(folder, "hostile.json"), JSON.stringify(space));
  writeFileSync(join(folder, "answer.json"), JSON.stringify({score: 1, why: HOSTILE, long: "x".repeat(10000)}));
  writeFileSync(join(folder, "hostile"), "#!/bin/sh\n[ $(wc -c) -gt 700 ] && { printf '%s\\n\\033[31m\\007' \"" +
    HOSTILE.replaceAll('"', '\\"') + "\" >&2; exit 3; }\ncat answer.json\n");
  chmodSync(join(folder, "hostile"), 0o755);
  run("study", "run", "hostile.study", "-q", "--space", "hostile.json", "-e", "command:./hostile",
    "--evals", "60", "--max-failures", "0", "-m", "sep:population=10,tournament=3", "--slots", HOSTILE.replaceAll(",", ";"));
  const server = await watch("hostile.study");
  await everyView(browser, server.url, "hostile", {looks: LOOKS.slice(0, 1)});
  const page = await open(browser, server.url, {about: "hostile"});
  check(!(await page.$("img")), "an image came to be");
  await show(page, "gallery");
  await page.click(".card");
  await page.waitForSelector("dialog[open] pre");
  check((await page.textContent("dialog pre")).includes("<img src=x"), "the answer is text");
  await page.context().close();
  await stop(server);
  run("study", "report", "hostile.study", "-o", "hostile.html");
  await everyView(browser, "file://" + join(folder, "hostile.html"), "hostile-report", {looks: LOOKS.slice(3)});
}

async function testFront(browser) {
  writeFileSync(join(folder, "two"), "#!/bin/sh\nn=$(grep -o '\\[[0-9]*,[0-9]*' \"$SEPX_GRAPH\" | wc -l)\n" +
    "c=$(grep -o conv3x3 \"$SEPX_GRAPH\" | wc -l)\necho \"{\\\"size\\\": $((2 * n + 3 * c)), " +
    "\\\"width\\\": $((n * c + c)), \\\"load\\\": $n}\"\n");
  chmodSync(join(folder, "two"), 0o755);
  run("study", "run", "two.study", "-q", "-e", "command:./two", "--objective", "size,width:max", "--where", "load<=8",
    "-m", "sep:population=10,tournament=3", "--evals", "60");
  const server = await watch("two.study");
  await everyView(browser, server.url, "front", {views: ["front", "history", "gallery", "trials", "workers"]});
  const page = await open(browser, server.url + "#front", {about: "front"});
  await show(page, "front");
  const trial = await page.textContent("tbody tr td");
  await page.click("tbody tr");
  await page.waitForSelector("dialog[open] svg.graph");
  check((await page.textContent("#detail-title")) === "Trial " + trial, "the trial of a point");
  check((await page.textContent("dialog dl")).includes("width"), "numbers of a trial");
  await page.context().close();
  await stop(server);
}

// A report prints all of its views on light paper, and is as before after it.
async function testPrint(browser, url) {
  const page = await open(browser, url, {about: "print", scheme: "dark"});
  const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({media: "print"});
  const titles = await page.$$eval(".sheet-title", (list) => list.map((e) => e.textContent));
  check(titles.join() === "History,Gallery,Lineage,Map,Operators,Workers", "printed:", titles);
  check((await page.$$eval(".sheet svg, .sheet canvas", (list) => list.length)) > 20, "pictures are printed");
  check((await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === "rgb(255, 255, 255)", "white paper");
  if (pictures) await page.screenshot({path: join(pictures, "print.png"), fullPage: true});
  await page.emulateMedia({media: "screen"});
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  check(!(await page.$(".sheet")), "sheets stay after printing");
  check((await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) === before, "colours after printing");
  await page.context().close();
}

async function testSeveral(browser) {
  for (const [name, method, seed] of [["a", "sep", "1"], ["b", "sep", "2"], ["c", "mutation", "3"], ["d", "mutation", "4"]])
    run("study", "run", name + ".study", "-q", "-e", "target:optimum", "-m", method + ":population=20,tournament=5", "--evals", "150", "--seed", seed);
  const server = await watch("a.study", "b.study", "c.study", "d.study");
  await everyView(browser, server.url, "several", {views: ["0/history", "1/trials", "2/gallery", "3/compare"],
    looks: [LOOKS[0], LOOKS[3]]});
  await stop(server);
}

const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"]});
try {
  run("study", "run", "cell.study", "-q", "-e", "target:optimum", "-m", "sep:population=20,tournament=5", "--evals", "200", "--seed", "5");
  const server = await watch("cell.study");
  await everyView(browser, server.url, "page");
  await testKeys(browser, server.url);
  await stop(server);
  run("study", "report", "cell.study", "-o", "cell.html");
  await everyView(browser, "file://" + join(folder, "cell.html"), "report", {looks: [LOOKS[1], LOOKS[2]]});
  await testPrint(browser, "file://" + join(folder, "cell.html"));
  await testFront(browser);
  await testRunning(browser);
  await testHostile(browser);
  await testSeveral(browser);
} finally {
  await browser.close();
  rmSync(folder, {recursive: true, force: true});
}
console.log(`${passed} passed, ${faults.length} failed`);
process.exit(faults.length ? 1 : 0);
