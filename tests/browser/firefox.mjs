// Firefox, driven through WebDriver BiDi, with pages that fail their test on errors.
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";
import { serve } from "./server.mjs";
import { SAMPLE } from "./site.mjs";

/** Preferences for a dark color scheme, and for colors that the user forces on pages. */
export const DARK = { "layout.css.prefers-color-scheme.content-override": 0 };
export const FORCED = { "browser.display.document_color_use": 2 };

export async function openFirefox(folder = SAMPLE, prefs = {}) {
  const { address, close } = await serve(folder, "/some/prefix/");
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX,
    extraPrefsFirefox: { "layout.css.prefers-color-scheme.content-override": 1, ...prefs },
  });
  return {
    address,
    async page(width = 1280, height = 800) {
      const page = await browser.newPage();
      await page.setViewport({ width, height });
      page.setDefaultTimeout(10_000);
      const faults = [];
      page.on("console", (message) => faults.push(`console: ${message.text()}`));
      page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
      page.on("request", (request) => {
        // Firefox itself loads a font from a data URL.
        if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
          faults.push(`foreign: ${request.url()}`);
      });
      page.on("response", (response) => {
        if (response.status() !== 200) faults.push(`${response.status()}: ${response.url()}`);
      });
      page.sound = () => assert.deepEqual(faults.splice(0), [], page.url());
      page.faults = faults;
      return page;
    },
    async close() {
      await browser.close();
      await close();
    },
  };
}

export async function tabTo(page, selector, most = 200) {
  for (let pressed = 0; pressed <= most; pressed += 1) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${selector} at ${page.url()}`);
}

/** Waits until find or compare has loaded its data. The policy of the pages forbids `waitForFunction`. */
export async function answered(page) {
  const isWaiting = () => document.querySelector(".results")?.textContent.includes("Loading");
  for (let tries = 0; await page.evaluate(isWaiting); tries += 1) {
    assert.ok(tries < 100, `${page.url()} does not answer`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
