// Checks that the home page shows the field on one screen, and that matrices start on the first screen.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { kinds, open, paths, SAMPLE, tabTo } from "./site.mjs";

const SCREENS = [
  { viewport: { width: 1280, height: 800 }, rows: 24, most: 26 },
  { viewport: { width: 390, height: 844 }, rows: 12, most: 30 },
];
const { GWCONFORM, GWCONFORM_CORPUS } = process.env;
const corpus = GWCONFORM_CORPUS && join(GWCONFORM_CORPUS, "gateway-api/conformance/reports");

let site;
before(async () => (site = await open()));
after(() => site.close());

const boxes = (page, selector) =>
  page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));

test("rows are low and start high: home", async () => {
  for (const { viewport, rows, most } of SCREENS) {
    const page = await site.page({ viewport });
    await page.goto(site.address);
    const all = await boxes(page, ".field tbody > tr:first-child");
    assert.ok(all.length > 10);
    for (const { height } of all) assert.ok(height >= 24 && height <= most, `${viewport.width}: ${height}`);
    const fit = Math.floor((viewport.height - all[0].top) / all[0].height);
    assert.ok(fit >= rows, `${viewport.width}: ${fit} rows fit`);
    page.sound();
  }
});

test("rows are low and start high: the corpus", async (context) => {
  if (!corpus || !existsSync(corpus)) return context.skip("corpus: not run (set GWCONFORM_CORPUS)");
  const folder = mkdtempSync(join(tmpdir(), "corpus-"));
  let own;
  try {
    execFileSync(GWCONFORM, ["site", corpus, "--out", join(folder, "site")], { stdio: "ignore" });
    for (const path of paths(join(folder, "site"))) {
      const most = path === "" ? 66_000 : path.startsWith("matrix/") ? 250_000 : 400_000;
      const { size } = statSync(join(folder, "site", path, "index.html"));
      assert.ok(size <= most, `${path}: ${size} bytes`);
    }
    own = await open(join(folder, "site"));
    for (const { viewport, rows } of SCREENS) {
      const page = await own.page({ viewport });
      await page.goto(own.address);
      const all = await boxes(page, ".field tbody > tr:first-child");
      const seen = all.filter(({ bottom }) => bottom <= viewport.height).length;
      assert.ok(seen >= rows, `${viewport.width}: ${seen} rows on the first screen`);
    }
    const page = await own.page({ viewport: { width: 1280, height: 800 } });
    for (const path of kinds(join(folder, "site")).get("matrix 3")) await matrix(own, page, path);
  } finally {
    await own?.close();
    rmSync(folder, { recursive: true });
  }
});

/** The first feature is on the first screen, and the sticky head is low. */
async function matrix(of, page, path) {
  await page.goto(of.address + path);
  const [first] = await boxes(page, ".matrix tbody:not(.sums) tr:not(.g)");
  // Profiles of the first releases have no features.
  if (first) assert.ok(first.bottom <= 800, `${path}: the first feature ends at ${first.bottom}`);
  await page.evaluate(() => {
    // Short pages could not be scrolled so far.
    document.body.style.paddingBottom = "100vh";
    document.querySelector("tbody:last-of-type").scrollIntoView({ behavior: "instant" });
  });
  const heads = await page.locator(".matrix thead th").evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > 0)
      .map((one) => one.getBoundingClientRect().bottom - one.closest(".sheet").getBoundingClientRect().top)
      .filter((height) => height > 0),
  );
  const box = await page.locator(".sheet").first().boundingBox();
  const high = Math.max(0, ...heads) + Math.min(0, box.y);
  assert.ok(high <= 120, `${path}: ${high} px of head`);
}

test("a matrix starts on the first screen, and its head is low", async () => {
  const page = await site.page({ viewport: { width: 1280, height: 800 } });
  for (const path of kinds().get("matrix 3")) await matrix(site, page, path);
  page.sound();
});

test("rows open, sort and compare with the keyboard", async () => {
  const page = await site.page();
  await page.goto(site.address);
  const names = () => page.locator(".field tbody th a").allInnerTexts();
  const before = await names();
  await tabTo(page, ".field th.x button");
  await page.keyboard.press("Enter");
  const sorted = await page.locator(".field td.x").evaluateAll((all) => all.map((one) => one.dataset.v));
  const order = new Intl.Collator("en", { numeric: true });
  assert.deepEqual(sorted, sorted.toSorted(order.compare));
  assert.notDeepEqual(await names(), before);
  const head = page.locator(".field th.x");
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  await page.reload();
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  for (const at of [1, 2]) {
    const row = `.field tbody:nth-of-type(${at})`;
    await tabTo(page, `${row} summary`);
    await page.keyboard.press("Enter");
    await tabTo(page, `${row} .pick input`);
    await page.keyboard.press("Space");
  }
  const link = await page.locator(".compare-bar a").getAttribute("href");
  assert.equal(new URL(link).searchParams.getAll("i").length, 2);
  await page.locator(".field tbody:nth-of-type(3) td.b").first().click();
  assert.ok(await page.isVisible(".field tbody:nth-of-type(3) .more"));
  page.sound();
});

test("verdicts are told without colors", async () => {
  const page = await site.page({ forcedColors: "active" });
  await page.goto(site.address);
  const seen = await page.evaluate(() => {
    const bars = [...document.querySelectorAll(".field td.b:not(:empty)")];
    const looks = bars.map((one) => [
      one.className.replace("b ", ""),
      getComputedStyle(one, "::before").borderStyle +
        getComputedStyle(one, "::before").backgroundImage.replace(/rgba?\([^)]*\)|color\([^)]*\)/g, ""),
    ]);
    const dots = [...document.querySelectorAll(".field td.c:not(:empty)")];
    return { looks, dots: dots.map((one) => [one.className, getComputedStyle(one, "::before").content]) };
  });
  for (const list of [seen.looks, seen.dots]) {
    const looks = new Map(list);
    assert.ok(looks.size > 1);
    assert.equal(new Set(looks.values()).size, looks.size, JSON.stringify([...looks]));
    for (const look of looks.values()) assert.ok(!look.includes("none"), look);
  }
  assert.ok(statSync(join(SAMPLE, "index.html")).size < 60_000);
  page.sound();
});
