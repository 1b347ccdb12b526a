// Checks that scripts escape text as the program does: the texts of tests/browser/escapes.json, written by a
// Rust test, and the names on a hostile site.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { answered, copied, HOSTILE, kinds, open, tabTo } from "./site.mjs";

const expected = JSON.parse(readFileSync(new URL("escapes.json", import.meta.url), "utf8"));

let site;
before(async () => (site = await open(HOSTILE)));
after(() => site.close());

test("what the program escapes", async () => {
  const page = await site.page();
  await page.goto(site.address);
  const wrong = await page.evaluate(({ texts, addresses, snippets }) => {
    const faults = [];
    const same = (found, wanted, about) => {
      if (found !== wanted) faults.push({ about, found, wanted });
    };
    for (const { text, markdown } of texts) same(gwconform.markdown(text), markdown, text);
    for (const { address, markdown } of addresses) same(gwconform.markdownAddress(address), markdown, address);
    for (const { markup, alternative, image, link, snippet } of snippets)
      same(gwconform.snippet(markup, alternative, image, link), snippet, markup);
    return faults;
  }, expected);
  assert.deepEqual(wrong, []);
  assert.ok(expected.texts.length > 10 && expected.snippets.length > 40);
});

test("badges of hostile names: the picker says what the program says", async () => {
  const page = await site.page();
  for (const path of kinds(HOSTILE).get("implementations 3")) {
    await page.goto(site.address + path);
    const byProgram = await page.locator("pre[data-absolute]").first().textContent();
    await page.goto(`${site.address}badges/?i=${path.split("/").slice(1, 3).join("/")}`);
    assert.equal(await page.locator(".picker pre").textContent(), byProgram, path);
  }
  page.sound();
});

test("Markdown with hostile names stays a list and a table", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/?must=HTTPRouteCORS&scope=all`);
  await answered(page);
  await tabTo(page, ".actions .copier:nth-child(2) button", 400);
  await page.keyboard.press("Enter");
  await page.locator(".copied", { hasText: "Copied" }).waitFor();
  const list = await copied(page);
  const names = kinds(HOSTILE).get("implementations 3").length;
  assert.equal(list.split("\n").filter((line) => line.startsWith("- [")).length, names);
  assert.doesNotMatch(list, /(?<!\\)<|[^\\]\]\(javascript|\p{Cf}/u);
  await page.goto(
    `${site.address}compare/?${kinds(HOSTILE)
      .get("implementations 3")
      .map((path) => `i=${path.split("/").slice(1, 3).join("/")}`)
      .join("&")}`,
  );
  await answered(page);
  await tabTo(page, ".actions .copier:nth-child(2) button", 400);
  await page.keyboard.press("Enter");
  await page.locator(".copied", { hasText: "Copied" }).waitFor();
  const rows = (await copied(page)).split("\n").filter((line) => line.startsWith("|"));
  for (const row of rows) assert.equal(row.match(/(?<!\\)(\\\\)*\|/g).length, names + 2, row);
  page.sound();
});
