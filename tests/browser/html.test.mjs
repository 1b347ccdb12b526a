// Validates pages with html-validate.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import { HOSTILE, SAMPLE, sampled } from "./site.mjs";

const config = {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // Templates determine where lines end.
    "no-trailing-whitespace": "off",
    // Filters apply while typing, so forms need no submit button.
    "wcag/h32": "off",
    // Titles begin with names, which can be long.
    "long-title": "off",
    // A scrolling box needs a role and a name for keyboard access.
    "prefer-native-element": ["error", { exclude: ["region"] }],
  },
};

test("the HTML is valid", async () => {
  const validator = new HtmlValidate(new FileSystemConfigLoader(config));
  const faults = new Map();
  let count = 0;
  for (const folder of [SAMPLE, HOSTILE]) {
    for (const path of [...sampled(folder).map((page) => `${page}index.html`), "404.html"]) {
      const report = await validator.validateString(readFileSync(join(folder, path), "utf8"));
      count += 1;
      for (const { messages } of report.results) {
        for (const { ruleId, message, line, column } of messages) {
          const key = `${ruleId}: ${message}`;
          if (!faults.has(key)) faults.set(key, `${path}:${line}:${column}`);
        }
      }
    }
  }
  assert.deepEqual(
    [...faults].slice(0, 30).map(([key, at]) => `${key} (${at})`),
    [],
  );
  assert.ok(count > 100);
});
