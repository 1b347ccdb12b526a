// Uses the page of the Gateway API wizard in Chromium with our data, and compares its results with the feature matrices.
//
//     node .ci/wizard.mjs CHROMIUM PAGE wasm_exec.js main.wasm DATA.json API
//
// PAGE is the folder with the unmodified index.html. API is the folder `api/v1` of the site. For each release and each
// feature in the page, the rows must be the implementations whose report proves the feature.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [chromium, folder, runtime, program, dataFile, api] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), "tests/browser/package.json"));
const { chromium: driver } = require("playwright-core");

const document = (path) => JSON.parse(readFileSync(join(api, path), "utf8"));
const { implementations, parts } = document("implementations.json");
const paths = readdirSync(join(api, "matrix"), { recursive: true }).filter((path) => path.endsWith(".json"));
const matrices = paths.map((path) => document(join("matrix", path)));
// Split files have empty lists, and their parts are not read here.
assert.ok(matrices.length > 0 && !parts && !matrices.some((matrix) => matrix.parts));
const served = { "wasm_exec.js": runtime, "main.wasm": program, "data/controller-wizard-data.json": dataFile };
const types = { css: "text/css", html: "text/html", js: "text/javascript", json: "application/json", wasm: "application/wasm" };
const SITE = "http://wizard.example/";

const PROVED = ["proved", "proved-by-log", "partly-seen", "not-seen"];
const UNPROVED = ["skipped", "no-test", "claimed", "failed"];
const number = (release) => {
  const [, major, minor] = release.match(/^v(\d+)\.(\d+)/).map(Number);
  return major * 1000 + minor;
};

// The names of the implementations whose newest evidence since a minor proves a feature.
function expected(since, feature) {
  const found = implementations.filter((one) => {
    const verdicts = one.minors.filter((v) => v.family === "gateway" && number(v.minor) >= number(since));
    const newest = verdicts.sort((a, b) => number(b.minor) - number(a.minor))[0];
    if (!newest) return false;
    const states = matrices.flatMap((matrix) => {
      const at = matrix.reports.findIndex((column) => column.report === newest.report);
      const row = matrix.features.find((row) => row.feature === feature);
      return at < 0 || !row ? [] : [row.cells[at].state];
    });
    return states.some((state) => PROVED.includes(state)) && !states.some((state) => UNPROVED.includes(state));
  });
  return found.map((one) => one.project).sort();
}

const browser = await driver.launch({ executablePath: chromium, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
await page.route("**/*", (route) => {
  const path = new URL(route.request().url()).pathname.slice(1) || "index.html";
  const file = served[path] ?? join(folder, path);
  if (!route.request().url().startsWith(SITE) || !existsSync(file)) return route.abort();
  return route.fulfill({ body: readFileSync(file), contentType: types[file.split(".").pop()] });
});
await page.goto(SITE);
await page.waitForFunction(() => document.querySelectorAll("#version-select option").length > 0);

const rows = () => page.locator("#results-content tbody tr td:nth-child(2) a").allTextContents();
let compared = 0;
for (const option of await page.locator("#version-select option").allTextContents()) {
  await page.locator("#version-select").selectOption(option);
  const boxes = await page.locator('input[value="must"]').evaluateAll((all) => all.map((box) => box.name));
  const features = [...new Set(boxes)].filter((name) => name.startsWith("req-http-") && !name.endsWith("Core"));
  assert.ok(features.length > 10, `${option}: ${boxes.length} boxes`);
  for (const name of features) {
    await page.locator("#reset-btn").click();
    await page.locator(`input[name="${name}"][value="must"]`).first().evaluate((box) => box.click());
    await page.locator("#recommend-btn").click();
    const feature = name.replace("req-http-", "");
    const found = (await rows()).map((text) => text.trim()).sort();
    assert.deepEqual(found, expected(option, feature), `${option} ${feature}`);
    compared += 1;
  }
}
assert.deepEqual(errors, []);
await browser.close();
assert.ok(compared > 0);
console.log(`${compared} selections in the page, same results as the feature matrices`);
