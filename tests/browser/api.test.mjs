// Validates the OpenAPI description of the data, and runs the examples on the page `api/` and in docs/api.md.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
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

test("the description is valid without other files", async () => {
  const validator = new Validator();
  const description = JSON.parse(readFileSync(join(SITE, "api/v1/openapi.json"), "utf8"));
  const { valid, errors } = await validator.validate(description);
  assert.ok(valid, JSON.stringify(errors));
  delete description.info.title;
  assert.ok(!(await new Validator().validate(description)).valid);
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

test("the programs of docs/api.md print the results that the page shows", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gwconform-api-"));
  after(() => rmSync(folder, { recursive: true }));
  symlinkSync(SITE, join(folder, "public"));
  symlinkSync(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"));
  const page = readFileSync(join(import.meta.dirname, "../../docs/api.md"), "utf8").replaceAll(LOCAL, site.address);
  const fences = [...page.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(([, info, text]) => ({ info, text }));
  const languages = [];
  for (const [at, { info, text }] of fences.entries()) {
    const [language, file] = info.split(" ");
    if (!file) continue;
    languages.push(language);
    writeFileSync(join(folder, file), text);
    const [commands, result] = fences.slice(at + 1);
    // The site and the packages are there already. The last command prints the result.
    const lines = commands.text.trim().split("\n");
    const script = lines.filter((line) => !/^(gwconform|npm) /.test(line)).join(" >&2\n");
    const { stdout } = await run("sh", ["-ec", script], { cwd: folder });
    assert.equal(stdout, result.text, info);
  }
  assert.deepEqual(languages, ["jq", "python", "ts"]);
});
