// Makes the link preview image: `node preview.mjs FILE`, called by .ci/preview. Its verdicts are invented.
import { chromium } from "playwright-core";

const [WIDTH, HEIGHT] = [1200, 630];
const GREEN = "#1a7f37";
/** Rows of the chart: conformant, partial, failing, or no report. */
const ROWS = ["ccccccc", ".cccccc", "ccpccpc", "..ccccc", "cc.ccpp", "...cccf", "cccpp.."];
const BAR = { c: `fill="${GREEN}"`, p: 'fill="url(#part)"', f: 'fill="#b3261e"' };

const bars = ROWS.flatMap((row, y) =>
  [...row].map((one, x) =>
    BAR[one]
      ? `<rect ${BAR[one]} x="${650 + x * 66}" y="${104 + y * 60}" width="56" height="32" rx="4"/>`
      : `<path stroke="#aab4bf" stroke-width="3" d="M${672 + x * 66} ${120 + y * 60}h12"/>`,
  ),
);
const text = (y, size, weight, colour, words) =>
  `<text x="80" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}">${words}</text>`;
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"
  font-family="DejaVu Sans, sans-serif"><defs>
  <pattern id="part" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
  <rect width="10" height="10" fill="#fbf0d9"/><rect width="5" height="10" fill="#9a6700"/></pattern></defs>
  <rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/><rect width="${WIDTH}" height="12" fill="${GREEN}"/>
  <rect x="80" y="104" width="88" height="88" rx="16" fill="${GREEN}"/>
  <path d="m102 150 16 16 30-34" fill="none" stroke="#fff" stroke-width="11"/>
  ${text(290, 54, 700, "#1b1f24", "Gateway API")}${text(356, 54, 700, "#1b1f24", "conformance")}
  ${text(424, 27, 400, "#57606a", "Which implementations are")}
  ${text(462, 27, 400, "#57606a", "conformant, and what each one")}
  ${text(500, 27, 400, "#57606a", "supports, release by release")}
  ${bars.join("")}</svg>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
await page.setContent(`<style>body{margin:0}svg{display:block}</style>${picture}`);
await page.screenshot({ path: process.argv[2] });
await browser.close();
