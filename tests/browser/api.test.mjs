// Validates the OpenAPI description of the data, and runs the examples on the page that documents the data.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import { serve } from "./server.mjs";

const SITE = process.env.GWCONFORM_SITE;
const LOCAL = "http://localhost:8000/";
const run = promisify(execFile);

let site;
before(async () => (site = await serve(SITE, "/some/prefix/")));
after(() => site.close());

/** Validates a description together with the schemas that it refers to. */
async function validated(description) {
  const validator = new Validator();
  const schemas = readdirSync(join(SITE, "api/v1/schema"));
  for (const name of schemas) {
    const schema = JSON.parse(readFileSync(join(SITE, "api/v1/schema", name), "utf8"));
    validator.addSpecRef(schema, `schema/${name}`);
  }
  return validator.validate(description);
}

test("the description is valid", async () => {
  const text = readFileSync(join(SITE, "api/v1/openapi.json"), "utf8");
  const { valid, errors } = await validated(JSON.parse(text));
  assert.ok(valid, JSON.stringify(errors));
  const broken = JSON.parse(text);
  delete broken.info.title;
  assert.ok(!(await validated(broken)).valid);
});

test("the examples print the results that the page shows", async () => {
  const page = readFileSync(join(SITE, "api/index.html"), "utf8");
  const text = (html) =>
    html
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))
      .replaceAll("&lt;", "<")
      .replaceAll("&amp;", "&");
  const shape = /data-example="(\w+)">(.*?)<\/pre>\s*<p>Result:<\/p>\s*<pre[^>]*data-result>(.*?)<\/pre>/gs;
  const examples = [...page.matchAll(shape)];
  assert.equal(examples.length, 3);
  for (const [, language, code, result] of examples) {
    const source = text(code).replaceAll(LOCAL, site.address);
    const { stdout } =
      language === "sh"
        ? await run("sh", ["-c", source])
        : await run(process.execPath, ["--input-type=module", "--eval", source]);
    assert.equal(stdout, text(result), source);
  }
});
