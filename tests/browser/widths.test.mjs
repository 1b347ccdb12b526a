// Checks pages of every kind at widths from 320 to 1920 px, in steps of 20, or of 80 in Firefox and for the corpus: no
// page overflows, no table is cut, no text column is only a few letters wide, and page heights do not jump.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { HOSTILE, LONG, paths, SAMPLE } from "./site.mjs";
import { measure } from "./widths.mjs";

const { CHROMIUM, FIREFOX, GWCONFORM, GWCONFORM_CORPUS } = process.env;
const ROOT = new URL("../../", import.meta.url).pathname;
const HIGH = 2000;
const JUMP = 1.6;
const REDIRECTS = ["calendar/", "implementations/"];
const MANY = "GRPCRoute,TLSRoute,TCPRoute,UDPRoute,ListenerSet,HTTPRouteCORS,HTTPRoutePathRewrite,HTTPRouteHostRewrite";

/** URL patterns of all pages, which an integration test checks. `*` stands for a name. */
function addresses() {
  const source = readFileSync(join(ROOT, "tests/integration/pages.rs"), "utf8");
  const [, list] = /^const ADDRESSES: \[&str; \d+\] = (\[[^\]]+\]);$/m.exec(source);
  const all = JSON.parse(list.replace(/,\s*\]$/, "]"));
  assert.ok(all.length > 20);
  return all.filter((one) => !REDIRECTS.includes(one));
}

/** The largest page of each URL pattern, the largest matrix of each profile, and find/ and compare/ with results. */
function pages(folder) {
  const every = [...paths(folder), "404.html"];
  const size = (path) => statSync(join(folder, path.endsWith(".html") ? path : `${path}index.html`)).size;
  const largest = (own) => own.reduce((most, path) => (size(path) > size(most) ? path : most));
  const found = [];
  // All sites have the same rule pages.
  const own = addresses().filter((address) => folder === SAMPLE || !address.startsWith("rules/"));
  for (const address of own) {
    const shape = new RegExp(`^${address.replace(".", "\\.").replaceAll("*", "[^/]+")}$`);
    const alike = every.filter((path) => shape.test(path));
    const profile = (path) => (address === "matrix/*/*/" ? path.split("/")[2] : "");
    for (const one of new Set(alike.map(profile))) {
      found.push({ address, path: largest(alike.filter((path) => profile(path) === one)) });
    }
    assert.ok(alike.length > 0 || folder !== SAMPLE, `no page ${address}`);
  }
  const implementations = every.filter((path) => /^implementations\/[^/]+\/[^/]+\/$/.test(path));
  const slugs = implementations.map((path) => `i=${path.split("/").slice(1, 3).join("/")}`);
  const answers = [
    "find/?must=HTTPRouteRequestMirror&scope=all",
    `find/?must=${MANY}&scope=all`,
    `compare/?${slugs.slice(0, 3).join("&")}`,
  ];
  return [...found, ...answers.map((path) => ({ address: path, path }))];
}

/** `widths` has the measurements of each width. */
function faults({ path }, widths) {
  return widths.flatMap(({ width, over, high, thin, cut }, at) => {
    const found = [...thin.map((one) => `a few letters wide: ${one}`), ...cut.map((one) => `cut: ${one}`)];
    if (over > 0) found.push(`${over} px too wide`);
    const before = widths[at - 1] ?? { width, high };
    const [low, most] = [high, before.high].sort((a, b) => a - b);
    if (most > HIGH && most > JUMP * low) found.push(`${before.high} px high at ${before.width}, then ${high}`);
    return found.map((fault) => `${path || "the first page"} at ${width}: ${fault}`);
  });
}

async function check(browser, executable, folder, step = LONG ? 20 : 80) {
  const all = pages(folder);
  const measured = await measure(
    browser,
    executable,
    folder,
    all.map(({ path }) => path),
    step,
  );
  assert.deepEqual(
    all.flatMap((page, at) => faults(page, measured[at])),
    [],
  );
}

test("every width in Chromium: the sample tree", () => check("chromium", CHROMIUM, SAMPLE, 20));
test("every width in Chromium: the hostile tree", () => check("chromium", CHROMIUM, HOSTILE, 20));

test("every width in Firefox: the sample tree", async (context) => {
  if (!FIREFOX) return context.skip("Firefox: not run (FIREFOX names it)");
  await check("firefox", FIREFOX, SAMPLE);
});

const corpus = join(GWCONFORM_CORPUS || join(ROOT, "../shared/corpus"), "gateway-api/conformance/reports");
test("every width: the corpus", async (context) => {
  if (!existsSync(corpus)) return context.skip("corpus: not run (set GWCONFORM_CORPUS)");
  const folder = mkdtempSync(join(tmpdir(), "corpus-"));
  try {
    execFileSync(GWCONFORM, ["site", corpus, "--out", join(folder, "site")], { stdio: "ignore" });
    await check("chromium", CHROMIUM, join(folder, "site"));
    if (LONG && FIREFOX) await check("firefox", FIREFOX, join(folder, "site"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
