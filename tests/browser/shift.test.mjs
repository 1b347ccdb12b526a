// Checks that pages of every kind do not move while they load, and that the labels of charts are readable.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, longest, open } from "./site.mjs";

const MOST_SHIFT = 0.05;
const SMALLEST_LABEL = 10;
const ASKED = [
  "find/?must=HTTPRouteRequestMirror,HTTPRouteCORS",
  "find/?must=HTTPRouteCORS",
  "find/?must=NoSuchFeature",
  "compare/?i=acme/operator&i=umbrella/operator",
  "badges/?i=umbrella/operator&about=v1.5&markup=html",
];

let site;
before(async () => (site = await open()));
after(() => site.close());

for (const [width, height] of [
  [390, 844],
  [1280, 800],
]) {
  test(`nothing moves, and labels are readable: ${width} px`, async () => {
    const page = await site.page({ viewport: { width, height } });
    await page.addInitScript(() => {
      window.shifts = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifts += value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    const found = [];
    for (const path of [...longest(), ...ASKED]) {
      await page.goto(site.address + path);
      if (/^(find|compare)\//.test(path)) await answered(page);
      await page.waitForTimeout(200);
      const { shifts, labels } = await page.evaluate(() => ({
        shifts: window.shifts,
        labels: [...document.querySelectorAll("svg text")]
          .filter((one) => one.checkVisibility())
          .map((one) => Number.parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a),
      }));
      if (shifts > MOST_SHIFT) found.push(`${path}: moves by ${shifts.toFixed(3)}`);
      const least = Math.min(...labels);
      if (least < SMALLEST_LABEL) found.push(`${path}: a label of ${least.toFixed(1)} px`);
    }
    assert.deepEqual(found, []);
    page.sound();
  });
}

test("headings of tables do not break inside words", async () => {
  const found = [];
  for (const width of [390, 1280]) {
    const page = await site.page({ viewport: { width, height: 800 } });
    for (const path of longest()) {
      await page.goto(site.address + path);
      const broken = await page.evaluate(() => {
        const heads = [...document.querySelectorAll("h1, h2, h3, .grid thead th, .field thead th, .figures thead th")];
        return heads
          .filter((one) => one.checkVisibility() && one.clientWidth > 1)
          .flatMap((one) => {
            const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            const words = [];
            while (walker.nextNode()) {
              for (const { 0: word, index } of walker.currentNode.data.matchAll(/[A-Za-z0-9]+/g)) {
                const range = document.createRange();
                range.setStart(walker.currentNode, index);
                range.setEnd(walker.currentNode, index + word.length);
                const isUpright = getComputedStyle(one).writingMode === "horizontal-tb";
                const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
                if (isUpright && lines.size > 1) words.push(`${one.textContent.trim().slice(0, 60)}: ${word}`);
              }
            }
            return words;
          });
      });
      found.push(...broken.map((one) => `${width} ${path}: ${one}`));
    }
  }
  assert.deepEqual(found, []);
});
