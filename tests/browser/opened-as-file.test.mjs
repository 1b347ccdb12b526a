// Checks the site without a web server: links work, and find explains what it needs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { SAMPLE } from "./site.mjs";

test("links lead to pages", async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    const root = pathToFileURL(SAMPLE).href;
    await page.goto(`${root}/index.html`);
    await page.locator("nav a", { hasText: "Features" }).click();
    await page.waitForURL(`${root}/features/index.html`);
    await page.locator("nav a", { hasText: "Find" }).click();
    await page.getByText("opened as a file").waitFor();
    assert.match(await page.innerText(".results"), /python3 -m http\.server/);
    assert.ok(await page.isVisible('a[href$="HTTPRouteCORS/index.html"]'));
  } finally {
    await browser.close();
  }
});
