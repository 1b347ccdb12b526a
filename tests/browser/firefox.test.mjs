// Checks pages in Firefox: axe, overflow, the keyboard, and forced colors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { answered, DARK, FORCED, openFirefox, tabTo } from "./firefox.mjs";
import { HOSTILE, LONG, longest, SAMPLE } from "./site.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const ASKED = [
  "find/?must=HTTPRouteRequestMirror,HTTPRouteCORS",
  "compare/?i=acme/operator&i=umbrella/operator",
  "answer/?q=acme+cors",
];
const skip = process.env.FIREFOX ? false : "Firefox: not run (FIREFOX names it)";

async function inFirefox(folder, prefs, use) {
  const site = await openFirefox(folder, prefs);
  try {
    await use(site);
  } finally {
    await site.close();
  }
}

async function faults(site, page, path) {
  await page.goto(site.address + path);
  if (/^(find|compare)\//.test(path)) await answered(page);
  // The policy of the pages forbids scripts that evaluate text, but not those of the test.
  await page.evaluate(AXE);
  const { violations, over } = await page.evaluate(async (tags) => {
    const { violations } = await window.axe.run({ runOnly: tags, resultTypes: ["violations"] });
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`),
      over: scrollWidth - clientWidth,
    };
  }, TAGS);
  const wide = over > 0 ? [`${over} px too wide`] : [];
  return [...violations, ...wide, ...page.faults.splice(0)].map((fault) => `${path} ${fault}`);
}

// The tests in Chromium read all kinds of pages with axe, and widths.test.mjs measures all kinds in Firefox.
const FEW = ["", "matrix/v1.5/GATEWAY-HTTP/", "implementations/acme/operator/", "features/HTTPRouteCORS/"];
for (const [name, prefs, width, paths] of [
  ["light, 1280 px", {}, 1280, [...(LONG ? longest() : FEW), ...ASKED]],
  ["dark, 390 px", DARK, 390, [...FEW, ...ASKED]],
  ["forced colors, 1280 px", FORCED, 1280, FEW],
]) {
  test(`axe finds nothing in Firefox: ${name}`, { skip }, () =>
    inFirefox(SAMPLE, prefs, async (site) => {
      const page = await site.page(width, 844);
      const found = [];
      for (const path of paths) found.push(...(await faults(site, page, path)));
      assert.deepEqual(found, []);
    }),
  );
}

test("hostile pages in Firefox", { skip }, () =>
  inFirefox(HOSTILE, {}, async (site) => {
    const page = await site.page(390, 844);
    const found = [];
    for (const path of longest(HOSTILE)) found.push(...(await faults(site, page, path)));
    assert.deepEqual(found, []);
  }),
);

test("the keyboard in Firefox", { skip }, () =>
  inFirefox(SAMPLE, {}, async (site) => {
    const page = await site.page();
    const query = () => page.evaluate(() => decodeURIComponent(location.search));
    const texts = (selector) =>
      page.$$eval(selector, (all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent.trim()));

    await page.goto(site.address);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), "#main");
    await tabTo(page, ".field th.x button");
    await page.keyboard.press("Enter");
    assert.equal(await page.$eval(".field th.x", (one) => one.ariaSort ?? one.getAttribute("aria-sort")), "ascending");
    await tabTo(page, ".field summary");
    await page.keyboard.press("Enter");
    assert.equal((await texts(".field .more")).length, 1);

    await page.goto(site.address);
    await tabTo(page, "input[name=q]");
    await page.keyboard.type("acme");
    assert.equal((await texts(".field tbody > tr:first-child")).length, 1);
    assert.equal(await query(), "?q=acme");

    await page.goto(`${site.address}rules/`);
    await tabTo(page, "input[name=q]");
    await page.keyboard.type("address-moved");
    assert.equal((await texts(".rules tbody tr")).length, 1);

    await page.goto(`${site.address}find/`);
    await answered(page);
    await tabTo(page, 'input[name=must][value="HTTPRouteRequestMirror"]');
    await page.keyboard.press(" ");
    assert.equal(await query(), "?must=HTTPRouteRequestMirror");
    assert.ok((await texts(".hits tbody th[scope=row]")).length > 0);

    await page.goto(site.address + ASKED[1]);
    await answered(page);
    const folded = (await texts(".columns tbody tr:not(.g)")).length;
    await tabTo(page, ".fold input");
    await page.keyboard.press(" ");
    assert.ok((await texts(".columns tbody tr:not(.g)")).length > folded);

    await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
    await tabTo(page, ".matrix td.m a");
    await page.keyboard.press("Enter");
    assert.equal((await texts(".evidence")).length, 1);
    await page.keyboard.press("Escape");
    assert.equal((await texts(".evidence")).length, 0);
    assert.ok(await page.evaluate(() => document.activeElement.matches(".matrix td.m a")));

    await page.goto(`${site.address}badges/?i=umbrella/operator`);
    await tabTo(page, "select[name=markup]");
    await page.keyboard.type("HTML");
    assert.match((await texts(".picker pre"))[0], /^<a href=/);
    page.sound();
  }),
);

test("bars are seen with forced colors in Firefox", { skip }, () =>
  inFirefox(SAMPLE, FORCED, async (site) => {
    const page = await site.page();
    await page.goto(site.address);
    assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
    const looks = await page.$$eval(".field td.b:not(:empty)", (all) =>
      all.map((one) => getComputedStyle(one, "::before").backgroundImage),
    );
    assert.ok(looks.length > 20);
    assert.ok(!looks.includes("none"));
    page.sound();
  }),
);
