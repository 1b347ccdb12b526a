// Test helpers: sites built by .ci/browser, a server, a browser, and pages that fail their test on errors.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

/** The sample site, and a site whose reports are hostile in every field. */
export const SAMPLE = process.env.GWCONFORM_SITE;
export const HOSTILE = process.env.GWCONFORM_HOSTILE_SITE;
assert.ok(SAMPLE && HOSTILE && process.env.CHROMIUM, "run .ci/browser");

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a server and a browser. `page(options)` opens a watched page. */
export async function open(folder = SAMPLE) {
  const { address, close } = await serve(folder, "/some/prefix/");
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
  return {
    address,
    async page(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
      if (options.javaScriptEnabled !== false) {
        await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(address).origin });
      }
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      return watched(page, address);
    },
    async close() {
      await browser.close();
      await close();
    },
  };
}

/** Records errors of a page. `sound()` fails if there were any. */
function watched(page, address) {
  const faults = [];
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("requestfailed", (request) => {
    // Leaving a page aborts its pending requests, mostly for the icon.
    const { errorText } = request.failure();
    if (errorText !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()} ${errorText}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) faults.push(`foreign: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() !== 200) faults.push(`${response.status()}: ${response.url()}`);
  });
  page.sound = () => assert.deepEqual(faults.splice(0), [], page.url());
  page.faults = faults;
  return page;
}

/** Paths of all pages except redirects, for example `find/`. The first page is an empty string. */
export function paths(folder = SAMPLE) {
  const isPage = (file) => !readFileSync(join(folder, file), "utf8").includes('http-equiv="refresh"');
  return readdirSync(folder, { recursive: true })
    .filter((file) => (file === "index.html" || file.endsWith("/index.html")) && isPage(file))
    .map((file) => file.slice(0, -"index.html".length))
    .sort();
}

/** Pages by kind, longest first. */
export function kinds(folder = SAMPLE) {
  const kinds = new Map();
  for (const path of paths(folder)) {
    const parts = path.split("/").filter((part) => part);
    const kind = [parts[0] ?? "home", parts.length, ["changes", "gaps"].find((name) => name === parts.at(-1)) ?? ""]
      .join(" ")
      .trim();
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  const size = (path) => statSync(join(folder, path, "index.html")).size;
  for (const paths of kinds.values()) paths.sort((a, b) => size(b) - size(a));
  return kinds;
}

/** The longest page of each kind. */
export const longest = (folder) => [...kinds(folder).values()].map((own) => own[0]);

/** Whether all pages, screens and widths are tested, instead of some of each kind. */
export const LONG = Boolean(process.env.GWCONFORM_LONG);

/** The twenty longest pages of each kind, and one in sixteen of the others. */
export const sampled = (folder) =>
  [...kinds(folder).values()].flatMap((own) => own.filter((_, at) => LONG || at < 20 || at % 16 === 0));

export async function tabTo(page, selector, most = 200) {
  for (let pressed = 0; pressed <= most; pressed += 1) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector} at ${page.url()}`);
}

export const copied = (page) => page.evaluate(() => navigator.clipboard.readText());

/** Waits until find or compare has loaded its data. */
export const answered = (page) =>
  page.waitForFunction(() => !document.querySelector(".results")?.textContent.includes("Loading"));

/** Rows of the matrix of find: what an implementation lacks, and the words of its cells in the order of the features. */
export const rows = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".hits tbody tr:not(.more, .rest)")].map((row) => {
      const [name, report] = row.querySelectorAll("th a");
      const key = (link) => link.getAttribute("href").slice("../implementations/".length, -1);
      const cells = [...row.querySelectorAll("td.m ~ td.m")];
      return {
        name: name.textContent,
        implementation: key(name),
        report: key(report),
        lacks: Number(/^lacks (\d+)/.exec(row.querySelector(".gap b")?.textContent)?.[1] ?? 0),
        isMet: cells.map((cell) => /^(supported|proved)/.test(cell.querySelector(".vh").textContent)),
        glyphs: cells.map((cell) => cell.querySelector(".glyph").textContent),
      };
    }),
  );

/** Names of the implementations that have all features. */
export const hits = async (page) => (await rows(page)).filter(({ lacks }) => lacks === 0).map(({ name }) => name);

/** Opens the details of all rows. */
export const openDetails = (page) =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll(".opener[aria-expanded=false]")) one.click();
  });

/** Unfolds the features and conditions of find. */
export async function unfold(page) {
  if (await page.isHidden("#question")) await page.click(".toggle");
}

/** Number of implementations in a heading. A single one has its name there. */
export const numberIn = (title) => (title.startsWith("No ") ? 0 : Number.parseInt(title, 10) || 1);
