// Checks pages of every kind in light and dark mode, on a phone and on a wide screen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { answered, HOSTILE, kinds, LONG, longest, open, sampled } from "./site.mjs";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const PHONE = { viewport: { width: 390, height: 844 } };
const DESK = { viewport: { width: 1440, height: 1000 } };
const SCREENS = [
  { colorScheme: "light", ...DESK },
  { colorScheme: "dark", ...PHONE },
  ...(LONG
    ? [
        { colorScheme: "dark", ...DESK },
        { colorScheme: "light", ...PHONE },
      ]
    : []),
];
/** Find and compare with results. */
const ASKED = [
  "find/?must=HTTPRouteRequestMirror,HTTPRoutePathRewrite",
  "find/?must=HTTPRouteRequestMirror,HTTPRouteCORS,GRPCRoute&scope=all&channel=standard",
  "find/?must=HTTPRouteRetry",
  "find/?must=NoSuchFeature",
  "find/?must=HTTPRouteRequestMirror&nice=HTTPRouteCORS,HTTPRouteRetry",
  "?i=acme/operator&i=umbrella/operator",
  "compare/?i=acme/operator&i=umbrella/operator&i=oldharbor/sluice",
  "compare/?i=acme/operator&i=acme/operator&differences=all",
  "compare/?i=no-such-one",
  "badges/?i=umbrella/operator&about=v1.5&markup=html",
  "404.html",
];

let site;
let hostile;
before(async () => ([site, hostile] = await Promise.all([open(), open(HOSTILE)])));
after(() => Promise.all([site.close(), hostile.close()]));

async function faults(of, path, page) {
  await page.goto(of.address + path);
  if (/^(find|compare)\//.test(path)) await answered(page);
  // The pages have no frames, which axe would otherwise search for.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ runOnly: TAGS, resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const told = violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 2).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  );
  return [
    ...told,
    ...(await width(page)),
    ...(await below(page)),
    ...(await unseen(page)),
    ...page.faults.splice(0),
  ].map((fault) => `${path} ${fault}`);
}

/** Report texts whose characters would be reordered or invisible. */
async function unseen(page) {
  const text = await page.evaluate(
    () =>
      document.body.textContent +
      [...document.querySelectorAll("[title], [aria-label], [alt]")]
        .map((one) => one.title + one.ariaLabel + (one.alt ?? ""))
        .join(""),
  );
  const found = text.match(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u);
  return found ? [`has U+${found[0].codePointAt(0).toString(16)}`] : [];
}

async function width(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return over > 0 ? [`${over} px too wide`] : [];
}

/** Measures empty space below the footer. */
async function below(page) {
  const over = await page.evaluate(() => {
    const end = document.querySelector("body > footer").getBoundingClientRect().bottom + scrollY;
    return document.documentElement.scrollHeight - Math.max(end, innerHeight);
  });
  return over > 2 ? [`${Math.round(over)} px below the footer`] : [];
}

for (const screen of SCREENS) {
  const name = `${screen.colorScheme}, ${screen.viewport.width} px`;
  test(`axe finds nothing: ${name}`, async () => {
    const page = await site.page(screen);
    const found = [];
    for (const path of [...longest(), ...ASKED]) found.push(...(await faults(site, path, page)));
    assert.deepEqual(found, []);
  });
}

test("what is cut shows it, and the newest minor is there at every width", async () => {
  const found = [];
  for (const width of [390, 1280, 1920]) {
    const page = await site.page({ viewport: { width, height: 900 } });
    for (const path of longest()) {
      await page.goto(site.address + path);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll("main *")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto")
          .filter((one) => one.tagName !== "PRE" && getComputedStyle(one).backgroundImage === "none")
          .map((one) => one.outerHTML.slice(0, 80)),
      );
      found.push(...cut.map((one) => `${width} ${path}: ${one}`));
    }
    const minors = ["", "features/", "implementations/acme/operator/"];
    for (const path of minors) {
      await page.goto(site.address + path);
      const place = await page.evaluate(() => {
        const named = [...document.querySelectorAll("main :is(.heads text, thead th, .grid th)")];
        const newest = named.find((one) => one.textContent.trim() === "v1.6");
        return newest?.getBoundingClientRect().toJSON();
      });
      if (!place || place.width === 0 || place.right > width || place.left < 0) found.push(`${width} ${path}: no v1.6`);
    }
    page.sound();
  }
  assert.deepEqual(found, []);
});

test("short pages and hostile ones", async () => {
  const page = await site.page(PHONE);
  const found = [];
  for (const own of kinds().values()) if (own.length > 1) found.push(...(await faults(site, own.at(-1), page)));
  const other = await hostile.page(PHONE);
  const every = kinds(HOSTILE)
    .get("implementations 3")
    .map((path) => `i=${path.split("/")[1]}`);
  for (const path of [...longest(HOSTILE), `compare/?${every.join("&")}`, "find/?must=HTTPRouteCORS&scope=all"]) {
    found.push(...(await faults(hostile, path, other)));
  }
  assert.deepEqual(found, []);
});

test("no page scrolls sideways on a wide screen, whatever the names", async () => {
  const found = [];
  for (const of of [site, hostile]) {
    const page = await of.page({ viewport: { width: 1280, height: 800 } });
    const own = of === site ? kinds() : kinds(HOSTILE);
    for (const path of [...own.values()].flatMap((every) => [every[0], every.at(-1)])) {
      await page.goto(of.address + path);
      found.push(...(await width(page)).map((fault) => `${path} ${fault}`));
    }
    page.sound();
  }
  assert.deepEqual(found, []);
});

test("without scripts a matrix scrolls in a box", async () => {
  const found = [];
  for (const size of [390, 660, 1280]) {
    const page = await site.page({ javaScriptEnabled: false, viewport: { width: size, height: 800 } });
    for (const path of kinds().get("matrix 3")) {
      await page.goto(site.address + path);
      found.push(...(await width(page)).map((fault) => `${size} ${path} ${fault}`));
    }
    page.sound();
  }
  assert.deepEqual(found, []);
});

test("names without a break take a few lines", async () => {
  for (const size of [390, 1280]) {
    const page = await hostile.page({ viewport: { width: size, height: 800 } });
    const matrix = kinds(HOSTILE).get("matrix 3")[0];
    await page.goto(hostile.address + matrix);
    const high = await page
      .locator(".matrix tbody tr:not(.g)")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height).filter((height) => height > 90));
    assert.deepEqual(high, [], `${size}`);
    page.sound();
  }
});

test("heads of a matrix stay in low windows", async () => {
  const page = await site.page({ viewport: { width: 844, height: 390 } });
  await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
  await page.evaluate(() => document.querySelector("tbody:last-of-type").scrollIntoView({ behavior: "instant" }));
  const head = await page.locator(".matrix .who .g:visible").first().boundingBox();
  assert.ok(head.y >= 0 && head.y + head.height < 390 / 2, JSON.stringify(head));
  const covered = await page.evaluate(() => document.querySelector(".matrix thead").getBoundingClientRect().bottom);
  assert.ok(covered < 390 / 2, `${covered}`);
  page.sound();
});

test("names in the heads of a matrix lie where there is room", async () => {
  const page = await site.page();
  await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
  const head = page.locator(".matrix .who .g:visible > div").first();
  const mode = () => head.evaluate((one) => getComputedStyle(one).writingMode);
  const high = () => page.locator(".matrix thead").evaluate((one) => one.getBoundingClientRect().height);
  await page.setViewportSize({ width: 900, height: 800 });
  assert.equal(await mode(), "vertical-rl");
  const standing = await high();
  const columns = await page.locator(".matrix .run .m:visible").count();
  await page.setViewportSize({ width: 480 + columns * 130, height: 800 });
  assert.equal(await mode(), "horizontal-tb");
  assert.ok((await high()) < standing);
  page.sound();
});

test("no page is too wide for a phone, says a thing to the console, or asks another host", async () => {
  const found = [];
  for (const [of, folder] of [
    [site, undefined],
    [hostile, HOSTILE],
  ]) {
    const page = await of.page(PHONE);
    for (const path of sampled(folder)) {
      await page.goto(of.address + path);
      found.push(...[...(await width(page)), ...page.faults.splice(0)].map((fault) => `${path} ${fault}`));
    }
  }
  assert.deepEqual(found, []);
});
