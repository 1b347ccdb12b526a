// Checks touch targets, printing, skip links and large trees.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answered, longest, open, SAMPLE, tabTo } from "./site.mjs";

let site;
before(async () => (site = await open()));
after(() => site.close());

/** Touch targets smaller than 24 px, except links within a sentence. */
const small = () => {
  const size = (one) => {
    const label = one.labels?.[0];
    const [own, other] = [one, label ?? one].map((element) => element.getBoundingClientRect());
    return { width: Math.max(own.width, other.width), height: Math.max(own.height, other.height), left: own.left };
  };
  const inSentence = (one) =>
    one.tagName === "A" && one.closest("p") && one.parentElement.textContent.trim() !== one.textContent.trim();
  return [...document.querySelectorAll("a[href], button, input, select, summary, textarea")]
    .filter((one) => one.checkVisibility() && (one.tabIndex >= 0 || one.closest("svg")) && !inSentence(one))
    .map((one) => [one, size(one)])
    .filter(([, { width, height, left }]) => left >= 0 && (width < 24 || height < 24))
    .map(([one, { width, height }]) => `${width} x ${height}: ${one.outerHTML.slice(0, 120)}`);
};

for (const width of [390, 1280])
  test(`every target has 24 px: ${width} px`, async () => {
    const page = await site.page({ viewport: { width, height: 844 } });
    const found = [];
    let count = 0;
    const asked = ["find/?must=HTTPRouteRequestMirror,HTTPRouteCORS", "compare/?i=acme/operator&i=umbrella/operator"];
    for (const path of [...longest(), ...asked, "404.html"]) {
      await page.goto(site.address + path);
      if (/^(find|compare)\//.test(path)) await answered(page);
      found.push(...(await page.evaluate(small)).map((one) => `${path} ${one}`));
      count += 1;
    }
    assert.deepEqual(found, []);
    assert.ok(count > 15);
    page.sound();
  });

test("paper is white, and what colours say is there without them", async () => {
  const page = await site.page({ colorScheme: "dark", viewport: { width: 1040, height: 720 } });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const path of ["", "matrix/v1.5/GATEWAY-HTTP/", "implementations/acme/operator/"]) {
    await page.goto(site.address + path);
    const seen = await page.evaluate(() => {
      const style = (one) => getComputedStyle(one);
      const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
      return {
        paper: style(document.body).backgroundColor,
        ink: style(document.body).color,
        scheme: style(document.documentElement).colorScheme,
        controls: shown("header nav, .filter, .search, .matrix-tools, button:not(.sorter), input, .pick, .copier")
          .length,
        signs: shown("td.m:not(.totals td)").map((cell) => [
          cell.className.replace(/\b(m|p|more)\b/g, "").trim(),
          cell.querySelector("[aria-hidden]")?.textContent.trim() ?? cell.textContent.trim(),
        ]),
        bars: shown(".field td.b:not(:empty)").every(
          (bar) => getComputedStyle(bar, "::before").backgroundImage !== "none",
        ),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    });
    assert.equal(seen.paper, "rgb(255, 255, 255)", path);
    assert.equal(seen.ink, "rgb(27, 31, 36)", path);
    assert.equal(seen.scheme, "light", path);
    assert.equal(seen.controls, 0, path);
    assert.ok(seen.bars, path);
    assert.ok(seen.wide <= 0 || path.startsWith("matrix/"), `${path} ${seen.wide}`);
    const states = new Map();
    for (const [state, sign] of seen.signs.filter(([, sign]) => !/\d/.test(sign))) {
      assert.ok(sign, `${path}: ${state} has no sign`);
      states.set(sign, (states.get(sign) ?? new Set()).add(state));
    }
    for (const [sign, own] of states) assert.equal(own.size, 1, `${path}: ${sign} is ${[...own].join(" and ")}`);
    if (path.startsWith("matrix/")) {
      assert.ok(states.size > 3);
      const key = await page.locator(".signs").boundingBox();
      const text = await page.innerText(".signs");
      assert.ok(key.y + key.height < 720, `${key.y}`);
      for (const sign of states.keys()) assert.ok(text.includes(sign), sign);
      const table = await page.locator(".matrix").boundingBox();
      assert.ok(table.width > 900, `${table.width}`);
    }
  }
  page.sound();
});

test("a link skips to the results", async () => {
  const page = await site.page();
  for (const [path, target] of [
    ["find/", "answer"],
    ["findings/", "findings"],
  ]) {
    await page.goto(site.address + path);
    await tabTo(page, `.skip[href="#${target}"]`, 3);
    const link = await page.evaluate(() => document.activeElement.getBoundingClientRect().toJSON());
    assert.ok(link.left >= 0 && link.height > 20, path);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**#${target}`);
    await page.keyboard.press("Tab");
    assert.ok(
      await page.evaluate(
        (id) =>
          document.getElementById(id).compareDocumentPosition(document.activeElement) &
          Node.DOCUMENT_POSITION_FOLLOWING,
        target,
      ),
      path,
    );
  }
  page.sound();
});

test("data in parts are as good as in one", async () => {
  const whole = JSON.parse(readFileSync(join(SAMPLE, "api/v1/support.json"), "utf8"));
  const middle = Math.floor(whole.reports.length / 2);
  const parts = [whole.reports.slice(0, middle), whole.reports.slice(middle)];
  const inParts = await site.page();
  await inParts.route(/\/(find|compare)\//, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      /data-source="([^"]*)support\.json"/,
      'data-source="$1support/1.json $1support/2.json"',
    );
    await route.fulfill({ response: answer, body });
  });
  await inParts.route(/support\/\d\.json$/, (route) => {
    const reports = parts[Number(/(\d)\.json/.exec(route.request().url())[1]) - 1];
    return route.fulfill({ json: { ...whole, reports } });
  });
  const inOne = await site.page();
  for (const path of [
    "find/?must=HTTPRouteRequestMirror&scope=all",
    `compare/?i=${parts[0][0].implementation}&i=${parts[1].at(-1).implementation}`,
  ]) {
    const texts = [];
    for (const page of [inOne, inParts]) {
      await page.goto(site.address + path);
      await answered(page);
      texts.push(await page.innerText(".results"));
    }
    assert.equal(texts[1], texts[0], path);
    assert.ok(texts[0].length > 200, path);
  }
  inParts.sound();
  inOne.sound();
});

test("addresses with a former name compare the same", async () => {
  const page = await site.page();
  await page.route(/\/compare\//, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      '<option value="acme/operator"',
      '<option data-aliases="other/gate acme/before" value="acme/operator"',
    );
    await route.fulfill({ response: answer, body });
  });
  const texts = [];
  for (const name of ["acme/operator", "acme/before"]) {
    await page.goto(`${site.address}compare/?i=${name}&i=umbrella/operator`);
    await answered(page);
    texts.push(await page.innerText(".results"));
  }
  assert.equal(texts[1], texts[0]);
  assert.ok(texts[0].length > 200);
  page.sound();
});
