// How pages of every kind fare in a browser: light and dark, on a phone and a wide screen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { HOSTILE, answered, kinds, open, paths } from "./site.mjs";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const SCREENS = [
  { colorScheme: "light", viewport: { width: 1440, height: 1000 } },
  { colorScheme: "dark", viewport: { width: 1440, height: 1000 } },
  { colorScheme: "light", viewport: { width: 390, height: 844 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
];
/** Find and compare with something to show. */
const ASKED = [
  "find/?must=HTTPRouteRequestMirror,HTTPRoutePathRewrite",
  "find/?must=HTTPRouteRequestMirror,HTTPRouteCORS,GRPCRoute&scope=all&channel=standard",
  "find/?must=HTTPRouteRetry",
  "find/?must=NoSuchFeature",
  "compare/?i=acme-operator&i=umbrella-operator&i=oldharbor-sluice",
  "compare/?i=acme-operator&i=acme-operator&differences=all",
  "compare/?i=no-such-one",
  "badges/?i=umbrella-operator&about=v1.5&markup=html",
];

let site;
let hostile;
before(async () => ([site, hostile] = await Promise.all([open(), open(HOSTILE)])));
after(() => Promise.all([site.close(), hostile.close()]));

async function axe(page) {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const told = violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
  assert.deepEqual(told, [], page.url());
}

async function fits(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${page.url()} is ${over} px too wide`);
}

async function look(of, path, page) {
  await page.goto(of.address + path);
  if (/^(find|compare)\//.test(path)) await answered(page);
  await fits(page);
  await axe(page);
  page.sound();
}

for (const screen of SCREENS) {
  const name = `${screen.colorScheme}, ${screen.viewport.width} px`;
  test(`axe finds nothing: ${name}`, async () => {
    const page = await site.page(screen);
    for (const own of kinds().values()) await look(site, own[0], page);
    for (const path of ASKED) await look(site, path, page);
  });
}

test("short pages and hostile ones", async () => {
  const page = await site.page(SCREENS[2]);
  for (const own of kinds().values()) if (own.length > 1) await look(site, own.at(-1), page);
  const other = await hostile.page(SCREENS[2]);
  for (const own of kinds(HOSTILE).values()) await look(hostile, own[0], other);
  const all = [...kinds(HOSTILE).get("implementations 2")].map((path) => `i=${path.split("/")[1]}`);
  await look(hostile, `compare/?${all.join("&")}`, other);
  await look(hostile, "find/?must=HTTPRoute&scope=all", other);
});

test("no page is too wide for a phone, says a thing to the console, or asks another host", async () => {
  for (const [of, folder] of [[site, undefined], [hostile, HOSTILE]]) {
    const page = await of.page({ viewport: { width: 390, height: 844 } });
    for (const path of paths(folder)) {
      await page.goto(of.address + path);
      await fits(page);
      page.sound();
    }
  }
});
