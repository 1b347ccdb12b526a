// Without JavaScript, every page except answer, find and compare shows the same text, and no control that does
// nothing.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { kinds, open } from "./site.mjs";

let site;
before(async () => (site = await open()));
after(() => site.close());

/** The text of a page, without parts that scripts add. */
const said = (root) => {
  const main = document.querySelector("main").cloneNode(true);
  for (const one of main.querySelectorAll(
    "form, .copier, .fold, .picker, .matrix-tools, .pick, .compare-bar, [role=status], p.shown",
  ))
    one.remove();
  // The text includes hidden parts, and sorted cells have no spaces between them.
  return main.textContent.replaceAll(root, "").replace(/\s+/g, "");
};

test("the text is there", async () => {
  const [withScript, without] = [await site.page(), await site.page({ javaScriptEnabled: false })];
  for (const [kind, own] of kinds()) {
    if (/^(answer|find|compare) /.test(kind)) continue;
    for (const path of [own[0], own.at(-1)]) {
      await withScript.goto(site.address + path);
      await without.goto(site.address + path);
      const [one, other] = [await withScript.evaluate(said, site.address), await without.evaluate(said, site.address)];
      assert.equal(other, one, path);
      assert.ok(other.length > 100, path);
    }
  }
  withScript.sound();
  without.sound();
});

test("a row of the home page opens in place", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.address);
  const row = page.locator(".field tbody").first();
  assert.ok(!(await row.locator(".more").isVisible()));
  await row.locator("summary").click();
  assert.match(await row.locator(".more").innerText(), /report of version/);
  page.sound();
});

test("the calendar leads to the home page", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(`${site.address}calendar/#any`);
  await page.waitForURL((url) => url.pathname === new URL(site.address).pathname);
  assert.ok(await page.isVisible(".field"));
});

test("no control that does nothing", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  for (const [, own] of kinds()) {
    await page.goto(site.address + own[0]);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("form, button, input, select, textarea")]
        // A form that opens another page and a button that opens a definition work without scripts.
        .filter((one) => one.checkVisibility() && !one.closest("form[action], [popovertarget]"))
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(shown, [], own[0]);
  }
});

test("find and compare say where to look", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  for (const [path, needed] of [
    ["find/", ["../features/HTTPRouteCORS/", "../matrix/v1.5/GATEWAY-HTTP/"]],
    ["compare/", ["../matrix/v1.5/GATEWAY-HTTP/"]],
  ]) {
    await page.goto(site.address + path);
    assert.match(await page.innerText("main"), /needs JavaScript/);
    for (const link of needed) assert.ok(await page.isVisible(`main a[href="${link}"]`), `${path} ${link}`);
  }
});

test("a link to a place in a fold leads there", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(`${site.address}findings/`);
  const ids = await page.locator("#findings details > [id]").evaluateAll((all) => all.map((one) => one.id));
  await page.goto(`${site.address}findings/#${ids.at(-1)}`);
  assert.ok(await page.isVisible(`#${ids.at(-1)}`));
  assert.ok(!(await page.isVisible(`#${ids[0]}`)));
  page.sound();
});
