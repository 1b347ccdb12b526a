// Takes a screenshot of the first page: `node screenshot.mjs FILE`, called by .ci/preview.
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const { address, close } = await serve(process.env.GWCONFORM_SITE, "/");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
await page.goto(address);
await page.screenshot({ path: process.argv[2] });
await browser.close();
await close();
