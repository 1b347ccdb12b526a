// Checks that the pages with a WebAssembly module show the output of the program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { answered, copied, open, rows, SAMPLE, tabTo } from "./site.mjs";

const root = new URL("../..", import.meta.url).pathname;
const program = process.env.GWCONFORM;
assert.ok(program, "run .ci/browser");

const report = readFileSync(join(root, "reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml"), "utf8");
const broken = report.replace("result: success", "result: sucess");
assert.notEqual(report, broken);
const LOADING = 30_000;

let site;
let folder;
before(async () => {
  site = await open();
  folder = mkdtempSync(join(tmpdir(), "gwconform-files-"));
});
after(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

function made(files) {
  const place = mkdtempSync(join(folder, "made-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place, path, ".."), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return place;
}

const run = (cwd, ...words) => {
  const { stdout } = spawnSync(program, words, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
};

const heading = (page) => page.innerText("#found");
const done = async (page) => {
  await page.waitForFunction(() => / in | was checked/.test(document.querySelector("#found").textContent), null, {
    timeout: LOADING,
  });
};

// The page groups findings by rule.
const shown = async (page) => {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll(".answer .findings > li")].map((item) => [
      (item.querySelector(".path") ?? document.querySelector(".answer h3.path")).textContent,
      item.querySelector("a").textContent,
      item.querySelector(".sev").textContent,
      item.querySelector("small")?.textContent ?? null,
    ]),
  );
  return found.sort();
};
const expected = ({ findings }) =>
  findings
    .map(({ path, rule, severity, line, column }) => [
      path,
      rule,
      severity,
      line === null ? null : `line ${line}, column ${column}`,
    ])
    .sort();

/** Simulates a drop by a user. All files are in one folder. */
async function drop(page, files) {
  const data = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    return transfer;
  }, Object.entries(files));
  await page.dispatchEvent(".drop", "dragover", { dataTransfer: data });
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("over")));
  await page.dispatchEvent(".drop", "drop", { dataTransfer: data });
}

test("check: nothing is loaded before it is used, and then only files of the site", async () => {
  const page = await site.page();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${site.address}check/`);
  assert.deepEqual(
    asked.filter((url) => /wasm|worker/.test(url)),
    [],
  );
  const before = asked.length;
  const start = performance.now();
  await page.setInputFiles("#files", { name: "report.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await done(page);
  console.log(`first answer of a cold page after ${Math.round(performance.now() - start)} ms`);
  // Browsers request the icon at any time.
  const others = asked.slice(before).filter((url) => !url.endsWith(".svg"));
  const loaded = others.map((url) => url.slice(site.address.length));
  assert.deepEqual(loaded.map((path) => path.replace(/\.[0-9a-f]+\./, ".")).sort(), [
    "assets/check.wasm",
    "assets/worker.js",
  ]);
  const said = await page.innerText("#check form");
  const size = statSync(
    join(
      SAMPLE,
      loaded.find((path) => path.endsWith(".wasm")),
    ),
  ).size;
  assert.ok(said.includes(`${(size / 1e6).toFixed(1)} MB`), said);
  page.sound();
});

test("check: a file, and the page says what the program prints", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  const place = made({ "report.yaml": broken });
  await page.setInputFiles("#files", join(place, "report.yaml"));
  await done(page);
  const found = run(place, "check", "--format", "json", "report.yaml");
  assert.ok(found.summary.errors > 0);
  assert.deepEqual(await shown(page), expected(found));
  assert.match(await heading(page), new RegExp(`^${found.summary.errors} error`));
  // The focused heading is already announced, so the live region must not repeat it.
  assert.equal(await page.evaluate(() => document.activeElement.id), "found");
  assert.equal(await page.textContent("#check > [role=status]"), "");
  const source = page.locator(".source:has(mark:text-is('sucess'))").first();
  const rows = broken.split("\n");
  const at = rows.findIndex((row) => row.includes("sucess"));
  const numbered = (from, to) => rows.slice(from, to).map((row, nth) => `${`${from + nth + 1}`.padStart(5)} ${row}`);
  const lines = (kind) => source.locator(kind).evaluateAll((all) => all.map((one) => one.textContent.trimEnd()));
  assert.deepEqual(await lines("> span"), numbered(at - 2, at + 3));
  assert.deepEqual(await lines("> .own"), numbered(at, at + 1));
  for (const { message } of found.findings) {
    assert.ok((await page.innerText(".answer")).includes(message.replaceAll("`", "")), message);
  }
  await page.click("text=Copy as Markdown for a pull request");
  const { stdout } = spawnSync(program, ["check", "--format", "markdown", "report.yaml"], {
    cwd: place,
    encoding: "utf8",
  });
  assert.equal(await copied(page), stdout);
  page.sound();
});

test("check: who has gone to another field is told by the live region", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await page.route("**/check.*.wasm", async (route) => {
    await page.focus("[name=place]");
    await route.continue();
  });
  await page.setInputFiles("#files", { name: "report.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await done(page);
  assert.equal(await page.evaluate(() => document.activeElement.name), "place");
  assert.equal(await page.textContent("#check > [role=status]"), await heading(page));
  page.sound();
});

test("check: lines are a stop of the keyboard where they scroll, with file and line as their name", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  const long = report
    .replace("result: success", `result: sucess # ${"a long remark ".repeat(40)}`)
    .replace(/^date: .*$/m, "date: the day before yesterday, late in the afternoon and after tea");
  await page.setInputFiles("#files", { name: "report.yaml", mimeType: "text/yaml", buffer: Buffer.from(long) });
  await done(page);
  const stops = () =>
    page.evaluate(() =>
      [...document.querySelectorAll(".source")].map((one) => [
        one.scrollWidth > one.clientWidth,
        one.tabIndex === 0,
        one.getAttribute("role") === "group",
        /^report\.yaml, line \d+$/.test(one.getAttribute("aria-label") ?? ""),
      ]),
    );
  const isSound = async () => {
    const all = await stops();
    for (const one of all) assert.equal(new Set(one).size, 1, JSON.stringify(all));
    return all.filter(([is]) => is).length;
  };
  const wide = await isSound();
  assert.ok(wide > 0 && wide < (await stops()).length, String(wide));
  await page.setViewportSize({ width: 320, height: 800 });
  await page.waitForFunction((wide) => document.querySelectorAll(".source[tabindex]").length > wide, wide);
  await isSound();
  page.sound();
});

test("check: the back button brings the answer back", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await page.setInputFiles("#files", { name: "report.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await done(page);
  const before = await shown(page);
  await page.click(".answer .findings a");
  await page.waitForURL(/\/rules\//);
  assert.ok((await page.innerText("h1")).includes("/"));
  await page.goBack();
  await page.waitForSelector(".answer .findings > li");
  assert.deepEqual(await shown(page), before);
  page.sound();
});

test("check: dropped and pasted", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await drop(page, { "a.yaml": broken, "b.yaml": report });
  await done(page);
  const place = made({ "a.yaml": broken, "b.yaml": report });
  const found = run(place, "check", "--format", "json", "a.yaml", "b.yaml");
  assert.deepEqual(await shown(page), expected(found));
  assert.match(await heading(page), / in 2 reports$/);
  await page.evaluate(() => document.querySelector("h1").scrollIntoView());
  await tabTo(page, ".paste summary");
  await page.keyboard.press("Enter");
  await page.fill("#text", report);
  await tabTo(page, ".paste button");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => / in 1 report$/.test(document.querySelector("#found").textContent));
  const alone = run(made({ "report.yaml": report }), "check", "--format", "json", "report.yaml");
  assert.equal((await shown(page)).length, alone.findings.length);
  page.sound();
});

test("check: a folder is a submission or a tree, as on a disk", async () => {
  const page = await site.page();
  const readme = readFileSync(join(root, "reports/v1.5/acme-operator/README.md"), "utf8");
  const name = "standard-v2.18.3-default-report.yaml";
  const files = { [`acme-operator/${name}`]: broken, "acme-operator/README.md": readme.replace("standard", "") };
  for (const [inside, place] of [
    ["v1.5", ""],
    ["acme-operator", "v1.5"],
    ["acme-operator", "v1.5/acme-operator"],
  ]) {
    const above = inside === "v1.5" ? "v1.5/" : "";
    const chosen = made(Object.fromEntries(Object.entries(files).map(([path, text]) => [above + path, text])));
    await page.goto(`${site.address}check/`);
    await page.fill("[name=place]", place);
    await page.setInputFiles("#folder", join(chosen, inside));
    await done(page);
    const disk = made(Object.fromEntries(Object.entries(files).map(([path, text]) => [`v1.5/${path}`, text])));
    const found = run(disk, "check", "--format", "json", "v1.5/acme-operator");
    assert.ok(found.findings.some(({ rule }) => rule.startsWith("readme/")));
    assert.deepEqual(await shown(page), expected(found), inside);
    assert.match(await heading(page), /1 submission$/);
  }
  page.sound();
});

test("check: a submission chosen alone has the same findings as with its place", async () => {
  const name = "standard-v2.18.3-default-report.yaml";
  const later = report.replace(/^date: .*$/m, 'date: "2026-01-02T00:00:00Z"');
  const folder = made({
    [`acme-operator/${name}`]: report,
    "acme-operator/standard-copy-default-report.yaml": later,
    "acme-operator/README.md": readFileSync(join(root, "reports/v1.5/acme-operator/README.md"), "utf8"),
  });
  const found = [];
  for (const place of ["", "v1.5/acme-operator"]) {
    const page = await site.page();
    await page.goto(`${site.address}check/`);
    await page.fill("[name=place]", place);
    await page.setInputFiles("#folder", join(folder, "acme-operator"));
    await done(page);
    page.sound();
    found.push((await shown(page)).map(([path, ...rest]) => [path.replace(/^conformance\/reports\//, ""), ...rest]));
  }
  assert.deepEqual(found[0], found[1]);
  assert.ok(
    found[0].some(([, rule]) => rule === "tree/same-identity"),
    JSON.stringify(found[0]),
  );
});

test("check: the releases of a tree are listed, and many findings of a rule are folded", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await page.setInputFiles("#folder", join(root, "reports"));
  await done(page);
  // Browsers omit symbolic links, and folders next to a link to them.
  const read = await page.evaluate(() =>
    [...document.querySelector("#folder").files].map((file) => file.webkitRelativePath.split("/")[1]),
  );
  const releases = [...new Set(read)].filter((name) => /^v\d/.test(name)).sort();
  assert.ok((await page.innerText(".releases")).startsWith(`Releases read: ${releases.join(", ")}. `));
  const rules = await page.locator(".answer .findings").evaluateAll((all) => all.map((one) => one.children.length));
  const folded = await page.locator(".answer details.folded").count();
  assert.equal(folded, rules.filter((count) => count > 3).length);
  page.sound();
});

test("check: an empty text area, a template, a misspelled field and a manifest are answered", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await page.click(".paste summary");
  const answer = async (text) => {
    await page.fill("#text", text);
    await page.click(".paste button");
    if (text.trim()) await done(page);
    return page.innerText(".results");
  };
  assert.match(await answer(" "), /The text area is empty/);
  assert.match(await answer("kind: ConformanceReport\nmode: {{ .Values.mode }}\n"), /Helm template/);
  const first = () => page.locator(".answer .findings a").first().textContent();
  await answer("kind: ConformanceReport\nmode: [\n");
  assert.equal(await first(), "yaml/syntax");
  assert.match(
    await answer(report.replace("gatewayAPIVersion", "gatewayAPIVersoin")),
    /did you mean gatewayAPIVersion/,
  );
  const manifest = readFileSync(join(root, "examples/needs/cors.yaml"), "utf8");
  assert.match(await answer(manifest), /These are Kubernetes manifests/);
  await page.click("text=Find implementations for these manifests");
  await page.waitForFunction(() => location.search.includes("must="), null, { timeout: LOADING });
  await page.waitForURL(/HTTPRouteCORS/);
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  page.sound();
});

test("check: a file alone with a place is checked as a part of the tree", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await page.fill("[name=place]", "v1.5/acme-operator");
  await page.setInputFiles("#files", { name: "wrong NAME.yaml", mimeType: "text/yaml", buffer: Buffer.from(report) });
  await done(page);
  const rules = (await shown(page)).map(([, rule]) => rule);
  for (const rule of ["tree/file-name", "tree/readme-missing"]) assert.ok(rules.includes(rule), rules.join());
  page.sound();
});

test("check: the heading counts what was looked at, be it a report or not", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  const png = Buffer.from([0x89, 0x50, 0, 0xff, 0x1a]);
  await page.setInputFiles("#files", { name: "a.yaml", mimeType: "text/yaml", buffer: png });
  await done(page);
  assert.match(await heading(page), / in 1 file$/);
  assert.equal(await page.locator(".answer > h3:text-is('a.yaml')").count(), 1);
  assert.equal(await page.locator(".answer > p:text-is('a.yaml')").count(), 0);
  page.sound();
});

test("check: files whose names begin with a dot are checked", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  await page.setInputFiles("#files", { name: ".report.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await done(page);
  assert.ok((await shown(page)).length > 0);
  page.sound();
});

test("check: what is shown is of the last files and options, and survives a reload only then", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  const choose = (name, buffer) => page.setInputFiles("#files", { name, mimeType: "text/yaml", buffer });
  await choose("a.yaml", Buffer.from(broken));
  await done(page);
  await page.reload();
  assert.ok((await shown(page)).length > 0);
  // A reload discards the files, so the page cannot apply the new option to them.
  await page.check("[name=strict]");
  await page.waitForFunction(() => /Choose the files again/.test(document.querySelector(".answer").innerText));
  await choose("a.yaml", Buffer.from(broken));
  await done(page);
  await choose("b.yaml", Buffer.alloc(5_100_000, "a"));
  await page.waitForFunction(() => /limit is 4\.2 MB/.test(document.querySelector(".answer").innerText));
  await page.reload();
  assert.equal(await page.isVisible(".results"), false);
  page.sound();
});

test("check: a check that takes long is stopped, by hand and by the next one", async () => {
  const page = await site.page();
  await page.route("**/*.wasm", () => {});
  await page.goto(`${site.address}check/`);
  const choose = () =>
    page.setInputFiles("#files", { name: "a.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await choose();
  await page.click(".answer button:text('Stop')");
  assert.equal(await heading(page), "Nothing was checked");
  await choose();
  await page.waitForFunction(() => /Checking/.test(document.querySelector("#found").textContent));
  await page.unroute("**/*.wasm");
  await choose();
  await done(page);
  assert.ok((await shown(page)).length > 0);
  page.sound();
});

test("check: a worker that cannot be made is said, with the commands", async () => {
  const page = await site.page();
  await page.addInitScript(() => {
    window.Worker = function Worker() {
      throw new DOMException("not allowed", "SecurityError");
    };
  });
  await page.goto(`${site.address}check/`);
  await page.setInputFiles("#files", { name: "a.yaml", mimeType: "text/yaml", buffer: Buffer.from(broken) });
  await page.waitForFunction(() => /could not be loaded/.test(document.querySelector(".answer").innerText));
  assert.ok(await page.isVisible(".commands"));
  page.sound();
});

test("check: strict, and what is chosen is checked again", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  const text = `${report.trimEnd()}`;
  const place = made({ "report.yaml": text });
  await page.setInputFiles("#files", join(place, "report.yaml"));
  await done(page);
  const before = await heading(page);
  const [normal, strict] = [[], ["--strict"]].map((more) =>
    run(place, "check", "--format", "json", "report.yaml", ...more),
  );
  assert.deepEqual(await shown(page), expected(normal));
  await page.check("[name=strict]");
  if (JSON.stringify(expected(normal)) !== JSON.stringify(expected(strict))) {
    await page.waitForFunction((before) => document.querySelector("#found").textContent !== before, before);
  }
  await done(page);
  assert.deepEqual(await shown(page), expected(strict));
  await page.waitForURL(/\?strict=yes$/);
  page.sound();
});

test("check: what cannot be read is refused in a sentence", async () => {
  const page = await site.page();
  await page.goto(`${site.address}check/`);
  const large = join(made({ "large.yaml": "a: ".padEnd(5_100_000, "x") }), "large.yaml");
  for (const [file, words] of [
    [large, /large\.yaml has 5\.1 MB; the limit is 4\.2 MB/],
    [
      { name: "picture.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0, 0xff, 0x1a]) },
      /text\/encoding/,
    ],
  ]) {
    await page.setInputFiles("#files", file);
    await page.waitForFunction(
      (words) => new RegExp(words).test(document.querySelector(".answer").innerText),
      words.source,
      {
        timeout: LOADING,
      },
    );
  }
  await page.fill("[name=place]", "../..");
  await page.press("[name=place]", "Tab");
  await page.waitForFunction(() => /cannot be the path of a file/.test(document.querySelector(".answer").innerText));
  page.sound();
});

test("check: a panic is said, and the next file is checked by a module made anew", async () => {
  const page = await site.page();
  const loaded = [];
  page.on("request", (request) => /wasm|worker/.test(request.url()) && loaded.push(request.url()));
  // Large files request more memory than available, and the module panics.
  await page.route("**/worker.*.js", async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    const changed = text.replace("allocate(bytes.length)", "allocate(bytes.length > 1e6 ? 0xffffffff : bytes.length)");
    assert.notEqual(changed, text);
    await route.fulfill({ response: answer, body: changed });
  });
  await page.goto(`${site.address}check/`);
  const choose = (name, buffer) => page.setInputFiles("#files", { name, mimeType: "text/yaml", buffer });
  for (const _ of [1, 2]) {
    await choose("a.yaml", Buffer.alloc(1_100_000, "# "));
    await page.waitForFunction(() => /The checker failed/.test(document.querySelector(".answer").innerText), null, {
      timeout: LOADING,
    });
    assert.equal(await heading(page), "Nothing was checked");
    assert.match(await page.innerText(".answer"), /it stopped: .*capacity overflow/);
    await choose("b.yaml", Buffer.from(broken));
    await done(page);
    assert.ok((await shown(page)).length > 0);
  }
  assert.equal(loaded.length, 2, loaded.join());
  page.sound();
});

test("on paper: the answer with its lines and the addresses of rules, and nothing to press", async () => {
  const page = await site.page({ viewport: { width: 700, height: 900 } });
  await page.goto(`${site.address}check/`);
  const long = report.replace("result: success", `result: sucess # ${"a long remark ".repeat(20)}`);
  await page.setInputFiles("#files", { name: "report.yaml", mimeType: "text/yaml", buffer: Buffer.from(long) });
  await done(page);
  await page.emulateMedia({ media: "print" });
  await onPaper(page);
  const cut = await page.evaluate(
    () => [...document.querySelectorAll(".source")].filter((one) => one.scrollWidth > one.clientWidth).length,
  );
  assert.equal(cut, 0);
  const address = await page.evaluate(() => {
    const link = document.querySelector(".findings a");
    return [getComputedStyle(link, "::after").content, link.href, link.textContent];
  });
  assert.ok(address[0].includes(address[1]) && address[1].endsWith(`/rules/${address[2]}/`), address.join());
  await page.emulateMedia({ media: "screen" });
  await page.goto(`${site.address}find/`);
  await answered(page);
  await page.fill("#manifests-text", readFileSync(join(examples, "redirects.yaml"), "utf8"));
  await page.click("#manifests button[type=submit]");
  await page.waitForFunction(() => /needed by/.test(document.querySelector(".needed").textContent), null, {
    timeout: LOADING,
  });
  await page.emulateMedia({ media: "print" });
  await onPaper(page);
  assert.ok(await page.isVisible(".needed h3"));
  page.sound();
});

/** Neither controls nor the focus outline are printed. */
async function onPaper(page) {
  const controls = await page.evaluate(() =>
    [...document.querySelectorAll("main :is(button, input, select, textarea):not(.chosen button)")]
      .filter((one) => one.checkVisibility())
      .map((one) => one.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(controls, []);
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(ring, "none");
}

test("without WebAssembly, and without the file, the commands are there", async () => {
  for (const path of ["check/", "find/"]) {
    const command = path === "check/" ? ".commands" : "#needs-command";
    const page = await site.page();
    await page.goto(site.address + path);
    assert.equal(await page.isVisible(command), false);
    await page.addInitScript(() => delete globalThis.WebAssembly);
    await page.goto(site.address + path);
    assert.ok(await page.isVisible(command), path);
    assert.match(await page.innerText(command), path === "check/" ? /gwconform check report\.yaml/ : /gwconform needs/);
    assert.equal(await page.isVisible(path === "check/" ? "#check form" : "#manifests"), false);
    page.sound();
  }
  const page = await site.page();
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`${site.address}check/`);
  await page.setInputFiles("#files", { name: "a.yaml", mimeType: "text/yaml", buffer: Buffer.from(report) });
  await page.waitForSelector(".commands:not([hidden])");
  assert.match(await page.innerText(".answer"), /could not be loaded \(the server answered 404\)/);
});

const policy = (page) => page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content");

test("only the pages with a module may run one", async () => {
  const page = await site.page();
  for (const [path, may] of [
    ["check/", true],
    ["find/", true],
    ["", false],
    ["compare/", false],
  ]) {
    await page.goto(site.address + path);
    const said = await policy(page);
    assert.equal(said.includes("'wasm-unsafe-eval'"), may, path);
    assert.ok(said.startsWith("default-src 'none';") && said.includes("connect-src 'self'"), said);
  }
  page.sound();
});

const examples = join(root, "examples/needs");

/** Complete matches and near misses, in the order of the page. */
/** Implementations that have all features, and those that lack one or two. */
async function listed(page) {
  const found = await rows(page);
  const isOf = [(one) => one.lacks === 0, (one) => one.lacks > 0 && one.lacks <= 2 && one.isMet.some((is) => is)];
  const parts = isOf.map((is) => found.filter(is).map(({ implementation }) => implementation));
  return parts.filter((one) => one.length);
}

/** The text of what manifests need, with the parts that are folded. */
async function neededOn(page) {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll(".needed details")) fold.open = true;
  });
  return page.innerText(".needed");
}

/** Headings of the page, by section of the document. Sections without a heading fail the test. */
const HEADINGS = {
  needs: () => "Extended features",
  perhaps: ({ apart }) => (apart ? "Only used by the suite" : "Possibly"),
  uncovered: () => "Not covered by any test",
  beyond: ({ kind }) => (kind === "no-equivalent" ? "No equivalent in the API" : "Beyond the API"),
  kept: () => "Keep working with any gateway",
  approximate: () => "Approximate",
  ignored: () => "Ignored annotations of ingress-nginx",
  unknown_annotations: () => "Unknown annotations of ingress-nginx",
  other_controllers: () => "Other controllers",
  convert: () => "Convert the Ingresses",
  unread: () => "Not read",
  unknown: () => "Not known",
  unknown_fields: () => "Not known",
  not_read: () => "Kinds not read",
};
const LABELS = ["feature", "text", "field", "annotation", "tool", "controller", "reason", "kind"];
const FOLDED = ["Not read", "Not known", "Kinds not read"];

/** Lists of a document by name, with those of nested objects. */
const lists = (document) =>
  Object.entries(document).flatMap(([name, value]) => {
    if (["question", "answers"].includes(name) || value === null || typeof value !== "object") return [];
    return Array.isArray(value) ? [[name, value]] : lists(value);
  });

/** Texts of a section of the page, with numbers of places. */
function textsOf(name, one) {
  if (typeof one === "string") return [one, 1];
  const label = LABELS.find((label) => label in one);
  assert.ok(label, `${name} has no known label: ${Object.keys(one)}`);
  if (label === "kind") return [one.group ? `${one.kind}.${one.group}` : one.kind, one.count];
  const text = one[label].replaceAll("`", "");
  if (label === "reason") {
    const { path, line } = one.places?.[0] ?? one;
    return [`${path}:${line}: ${text}`, one.count ?? 1];
  }
  return [["approximate", "ignored"].includes(name) ? text.split("/").pop() : text, one.count];
}

/** `[heading, [[text, number of places], …]]` of a document, in the order of their texts. */
function sectionsOf(document) {
  const sections = new Map();
  for (const [name, all] of lists(document)) {
    for (const one of all) {
      if (name === "needs" && one.level === "core") continue;
      assert.ok(HEADINGS[name], `the page has no section for ${name}`);
      const heading = HEADINGS[name](one);
      sections.set(heading, [...(sections.get(heading) ?? []), textsOf(name, one)]);
    }
  }
  for (const [heading, all] of sections) {
    if (!FOLDED.includes(heading) || all.length <= 20) continue;
    const more = `${all.length - 20} more ${heading === "Kinds not read" ? "kinds" : "lines"}`;
    sections.set(heading, [...all.slice(0, 20), [more, 1]]);
  }
  return [...sections].sort();
}

/** The same of the page. */
async function sectionsOn(page) {
  const groups = await page.locator(".needed .group").evaluateAll((all) =>
    all.map((group) => [
      group.querySelector("h4").textContent,
      [...group.querySelectorAll("li")].map((item) => ({
        text: item.textContent,
        label: item.querySelector("b")?.textContent,
        places: item.querySelector("small")?.textContent.split(" · "),
      })),
    ]),
  );
  const counted = ({ text, label, places }) => {
    if (label) {
      const more = /^(\d+) more$/.exec(places.at(-1));
      return [label, more ? places.length - 1 + Number(more[1]) : places.length];
    }
    const found =
      /^(.*) \((\d+) (?:place|object)s\)$/.exec(text) ?? /^([A-Za-z.0-9]+) \((\d+)(?:; convert with .*)?\)$/.exec(text);
    return found ? [found[1], Number(found[2])] : [text, 1];
  };
  return groups.map(([heading, items]) => [heading, items.map(counted)]).sort();
}

/** Sentences of the program about what an answer does not count. */
function sentencesOf({ defaults, undecided }) {
  const shown = undecided.length > 8 ? [...undecided.slice(0, 8), `${undecided.length - 8} more`] : undecided;
  return [
    ...defaults.map(
      ({ feature, alternative, counts }) =>
        `Not counted: ${feature}, a default or an approximate equivalent: ${counts.with} of ${counts.of} with it, ${counts.without} of ${counts.of} with ${alternative}.`,
    ),
    ...(shown.length ? [`Not part of this answer: ${shown.join(", ")}.`] : []),
  ];
}

const sentencesOn = (page) => page.locator(".results > .note").allTextContents();

async function paste(page, text) {
  await page.goto(`${site.address}find/`);
  await answered(page);
  // An answer to other manifests at the same URL folds the form.
  await page.evaluate(() => {
    document.querySelector("#manifests > details").open = true;
  });
  // Typing a long text is slow.
  await page.locator("#manifests-text").evaluate((area, text) => {
    area.value = text;
  }, text);
  await page.click("#manifests button[type=submit]");
  await page.waitForFunction(() => /needed by/.test(document.querySelector(".needed").textContent), null, {
    timeout: LOADING,
  });
}

/** Checks that the page says what the program prints, and returns the document of the program. */
async function agrees(page, name, text) {
  const place = made({ "manifests.yaml": text });
  const found = run(place, "needs", "manifests.yaml", "--in", join(root, "reports"), "--format", "json");
  const { question, ingresses } = found;
  await paste(page, text);
  assert.deepEqual(await sectionsOn(page), sectionsOf(found), name);
  const folds = await page.locator(".needed details").evaluateAll((all) => all.map((one) => one.open));
  assert.ok(folds.length > 0 && !folds.includes(true), name);
  const top = await page.locator("#answer").evaluate((one) => one.getBoundingClientRect().top);
  assert.ok(top > 0 && top < 300, `${name}: ${top}`);
  assert.equal(await page.evaluate(() => document.activeElement.id), "answer");
  const said = await neededOn(page);
  const saysIf = (condition, words) => assert.equal(said.includes(words), condition, `${name}: ${words}\n${said}`);
  const core = found.needs.filter(({ level }) => level === "core").map(({ feature }) => feature);
  saysIf(core.length > 0, `Core: ${core.join(", ")}`);
  for (const [section, all] of lists(found)) {
    for (const one of all) {
      const isShown = one.places && one.level !== "core" && !FOLDED.includes(HEADINGS[section](one));
      if (isShown) saysIf(true, `manifests.yaml:${one.places[0].line} `);
    }
  }
  saysIf(found.counts.services_not_there > 0, `Not known: ${found.counts.services_not_there} Service`);
  saysIf(found.counts.omitted > 0, `${found.counts.omitted} more losses are not listed.`);
  saysIf(question.untested.length > 0, `Not covered by any test: ${question.untested.join(", ")}.`);
  saysIf(question.must.length === 0, "These objects need no feature that reports list.");
  saysIf(
    ingresses !== null,
    `Ingresses: ${ingresses?.counts.ingresses}; ${ingresses?.counts.core} of them only with core features`.replace(
      /undefined.*/,
      "",
    ),
  );
  for (const { difference } of ingresses?.approximate ?? []) saysIf(true, difference);

  const isAsked = question.must.length > 0;
  const isWhole = question.undecided.length === 0;
  saysIf(!isWhole, "Of what was read: ");
  const chips = await page.locator(".asked .chips button").allInnerTexts();
  assert.equal(chips[0], `${found.counts.resources} resource${found.counts.resources === 1 ? "" : "s"} read`);
  assert.equal(
    chips.includes(`${question.must.length} feature${question.must.length === 1 ? "" : "s"} needed`),
    isAsked,
    `${name}: ${chips}`,
  );
  const ticked = await page.locator("input[name=must]:checked").evaluateAll((all) => all.map((one) => one.value));
  assert.deepEqual(ticked.sort(), question.core_only ? [] : question.must.toSorted(), name);
  const search = question.query && `?${question.query}`;
  await page.waitForURL((url) => url.search === search);
  assert.ok(page.url().length < 1000 && !page.url().includes("apiVersion"));

  const short = (answer) => answer.lacking.length + answer.unknown.length;
  const met = (answer) => answer.met.length + answer.claimed.length;
  const isHit = (answer) => question.core_only || short(answer) === 0;
  const isNear = (answer) => !isHit(answer) && short(answer) <= 2 && met(answer) > 0;
  const hits = found.answers.filter(isHit).map((answer) => answer.implementation);
  const near = found.answers.filter(isNear).map((answer) => answer.implementation);
  const tables = [hits, near].filter((one) => one.length);
  const title = await page.innerText("#answer");
  assert.equal(/^Of what was read: /.test(title), isAsked && !isWhole, `${name}: ${title}`);
  assert.equal(/implementations? whose report passed/.test(title), isAsked && question.core_only, `${name}: ${title}`);
  if (isAsked && hits.length === 1 && !question.core_only)
    assert.match(title, /^(Of what was read: )?\S.* supports /, name);
  else if (isAsked && hits.length) assert.match(title, new RegExp(`\\b${hits.length}\\b`), name);
  assert.equal(
    title.endsWith("everything your manifests need"),
    isAsked && isWhole && !question.core_only && question.must.length > 1,
    name,
  );
  assert.deepEqual(await listed(page), tables, name);
  const sentences = sentencesOf(question);
  assert.deepEqual(await sentencesOn(page), sentences, name);

  // The history of the tab keeps the sentences, and a link has their number.
  await page.reload();
  await answered(page);
  assert.equal(await page.inputValue("#manifests-text"), "");
  const count = question.undecided.length;
  const counted = count
    ? [
        `${count} setting${count === 1 ? " of the manifests is" : "s of the manifests are"} not part of this answer; gwconform needs lists them.`,
      ]
    : [];
  assert.equal(await neededOn(page), said, name);
  assert.deepEqual(await sentencesOn(page), sentences, name);
  assert.deepEqual(await listed(page), tables, name);
  if (!isAsked) return found;
  await page.evaluate(() => history.replaceState(null, ""));
  await page.goto(`${site.address}find/${search}`);
  await answered(page);
  assert.deepEqual(await sentencesOn(page), counted, name);
  assert.deepEqual(await listed(page), tables, name);
  const own = /^(.*) everything your manifests need/.exec(title)?.[1] ?? title;
  assert.ok((await page.innerText("#answer")).startsWith(own), name);
  return found;
}

test("find: the answer to manifests is that of the program", async () => {
  const page = await site.page();
  const seen = new Set();
  const questions = [];
  for (const folder of [examples, join(root, "tests/browser/needs")]) {
    for (const name of readdirSync(folder).filter((name) => name.endsWith(".yaml"))) {
      const found = await agrees(page, name, readFileSync(join(folder, name), "utf8"));
      questions.push(found.question);
      for (const [section, all] of lists(found)) if (all.length) seen.add(section);
    }
  }
  // The inputs have everything to compare.
  assert.deepEqual([...seen].sort(), Object.keys(HEADINGS).sort());
  const has = (is) => assert.ok(questions.some(is), is.toString());
  has(({ must }) => must.length === 0);
  has(({ core_only, undecided }) => core_only && undecided.length === 0);
  has(({ core_only, undecided }) => core_only && undecided.length === 1);
  has(({ core_only, profiles }) => core_only && profiles.length > 1);
  has(({ core_only, channel }) => core_only && channel === "experimental");
  has(({ undecided }) => undecided.length > 8);
  has(({ defaults }) => defaults.some(({ counts }) => counts.with !== counts.without && counts.without !== counts.of));
  page.sound();
});

/** Folders with many manifests: the examples of each release of the API, or else its conformance tests. */
function largeInputs() {
  const sources = join(process.env.GWCONFORM_CORPUS || join(root, "../shared/corpus"), "../sources/gateway-api");
  if (!existsSync(sources)) return [];
  return readdirSync(sources).flatMap((tag) => {
    const folders = ["examples/standard", "examples/experimental", "conformance/tests"];
    return folders.map((one) => join(sources, tag, one)).filter((one) => existsSync(one));
  });
}

test("find: the answer to many manifests is at the top", async (context) => {
  const large = largeInputs();
  const seen = [];
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await site.page({ viewport });
    for (const folder of large.length ? large : [examples]) {
      const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
      if (files.length === 0) continue;
      const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
      await page.evaluate(() => scrollTo(0, 400));
      await paste(page, texts.join("\n---\n"));
      const top = await page.locator("#answer").evaluate((one) => one.getBoundingClientRect().top);
      assert.ok(top > 0 && top < 300, `${folder} at ${viewport.width}: ${top}`);
      const found = await rows(page);
      assert.ok(found.length > 0 && found[0].isMet.length > 3, folder);
      seen.push(folder);
    }
    page.sound();
  }
  assert.ok(seen.length > 1);
  if (large.length === 0) context.diagnostic("sources: not run (set GWCONFORM_CORPUS); examples/needs instead");
});

test("find: more losses than are listed have a number", async () => {
  const page = await site.page();
  const fields = Array.from({ length: 10_002 }, (_, at) => `  field${at}: x`).join("\n");
  const route = readFileSync(join(root, "tests/browser/needs/core.yaml"), "utf8");
  const found = await agrees(page, "many fields", route.replace("spec:\n", `spec:\n${fields}\n`));
  assert.ok(found.counts.omitted > 0);
  page.sound();
});

test("find: what an answer leaves out is dropped with the question of the manifests", async () => {
  const page = await site.page();
  const name = join(root, "tests/browser/needs/ingress.yaml");
  await paste(page, readFileSync(name, "utf8"));
  const sentences = await sentencesOn(page);
  assert.equal(sentences.length, 3);
  await page.click("text=Copy as Markdown");
  const markdown = (await copied(page)).replaceAll("\\", "");
  for (const sentence of [await page.innerText("#answer"), ...sentences]) {
    assert.ok(markdown.includes(sentence), `${sentence}\n${markdown}`);
  }
  await page.click(".toggle");
  await page.selectOption("[name=scope]", "newest");
  assert.deepEqual(await sentencesOn(page), []);
  assert.doesNotMatch(await page.innerText("#answer"), /read/);
  await page.waitForURL((url) => !url.search.includes("left_out"));
  await page.reload();
  await answered(page);
  assert.deepEqual(await sentencesOn(page), []);
  for (const text of ["0", "-1", "1.5", "x"]) {
    await page.goto(`${site.address}find/?must=HTTPRouteCORS&left_out=${text}`);
    await answered(page);
    assert.deepEqual(await sentencesOn(page), [`Unknown and ignored: left_out ${text}.`]);
  }
  page.sound();
});

test("find: without one of the needs, the answer is still only of what was read", async () => {
  const page = await site.page();
  await paste(page, readFileSync(join(examples, "ingress.yaml"), "utf8"));
  const [title, needed] = [await page.innerText("#answer"), await neededOn(page)];
  assert.match(title, /^Of what was read: /);
  const count = new URL(page.url()).searchParams.get("left_out");
  const sentences = (await sentencesOn(page)).filter((one) => one.startsWith("Not part of"));
  await page.locator("[aria-label='Relax a condition'] button").first().click();
  assert.match(await page.innerText("#answer"), /^Of what was read: /);
  assert.equal(new URL(page.url()).searchParams.get("left_out"), count);
  assert.deepEqual(
    (await sentencesOn(page)).filter((one) => one.startsWith("Not part of")),
    sentences,
  );
  await page.goBack();
  assert.equal(await page.innerText("#answer"), title);
  assert.equal(await neededOn(page), needed);
  assert.equal(sentences.length, 1);
  await page.goBack();
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.innerText("#answer"), "No features selected");
  assert.equal(await page.innerText(".needed"), "");
  assert.ok(await page.isVisible("#manifests-text"));
  await page.goForward();
  assert.equal(await page.innerText("#answer"), title);
  assert.equal(await neededOn(page), needed);
  page.sound();
});

test("find: files, a folder, what is no manifest, and the way back", async () => {
  const page = await site.page();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${site.address}find/`);
  await answered(page);
  assert.ok(!asked.some((url) => url.endsWith(".wasm")));
  await page.focus("#manifests-text");
  await page.waitForFunction(() => performance.getEntriesByType("resource").length > 0);
  const text = (words) =>
    page.waitForFunction((words) => document.querySelector(".needed").textContent.includes(words), words, {
      timeout: LOADING,
    });
  await page.setInputFiles("#manifests [name=files]", join(examples, "cors.yaml"));
  await text("cors.yaml:25 filters[0].type: CORS");
  await page.setInputFiles(
    "#manifests [name=files]",
    readdirSync(examples).map((name) => join(examples, name)),
  );
  const { counts } = run(root, "needs", "examples/needs", "--format", "json");
  await text(`needed by ${counts.resources} resources`);
  await page.click("text=Change manifests");
  assert.equal(await page.evaluate(() => document.activeElement.id), "manifests-text");
  await page.fill("#manifests-text", "just: {{ .Values.text }\n");
  await page.click("#manifests button[type=submit]");
  await text("no object of the Gateway API in 1 file; manifests.yaml:1:");
  const other = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\n";
  await page.fill("#manifests-text", other);
  await page.click("#manifests button[type=submit]");
  await text("no object of the Gateway API in 1 file; found NetworkPolicy.networking.k8s.io (1)");
  await page.fill("#manifests-text", " ");
  await page.click("#manifests button[type=submit]");
  await text("The text area is empty");
  assert.doesNotMatch(await page.innerText(".needed"), /need no feature/);
  await page.fill("#manifests-text", `${other}---\n${readFileSync(join(examples, "cors.yaml"), "utf8")}`);
  await page.click("#manifests button[type=submit]");
  await text("; not read: NetworkPolicy.networking.k8s.io (1)");
  await text("Kinds not readNetworkPolicy.networking.k8s.io (1)");
  await page.click("text=Change manifests");
  await page.fill("#manifests-text", readFileSync(join(examples, "cors.yaml"), "utf8"));
  await page.press("#manifests-text", "Tab");
  await page.keyboard.press("Enter");
  await text("HTTPRouteCORS");
  const url = page.url();
  const before = await listed(page);
  await page.click(".results .hits tbody th a");
  await page.waitForURL(/implementations/);
  await page.goBack();
  await answered(page);
  await page.waitForURL(url);
  assert.deepEqual(await listed(page), before);
  page.sound();
});

test("find: back from an implementation what the manifests need is there again", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  await answered(page);
  const name = "redirects.yaml";
  const text = `${readFileSync(join(examples, name), "utf8")}\n---\n# a remark of mine\nname: {{ .Values.name }}\n`;
  await page.fill("#manifests-text", text);
  await page.click("#manifests button[type=submit]");
  await page.waitForFunction(() => /needed by/.test(document.querySelector(".needed").textContent), null, {
    timeout: LOADING,
  });
  const needed = await neededOn(page);
  for (const part of ["Extended features", "Beyond the API", "Not read", "manifests.yaml:"]) {
    assert.ok(needed.includes(part), `${part}: ${needed}`);
  }
  const kept = await page.evaluate(() => JSON.stringify(history.state));
  assert.ok(!kept.includes("a remark of mine") && !kept.includes("apiVersion"), kept);
  assert.ok(!decodeURIComponent(page.url()).includes("manifests.yaml"));
  // A fragment link adds its own history entry.
  await page.evaluate(() => {
    location.hash = "answer";
  });
  await page.click(".results .hits tbody th a");
  await page.waitForURL(/implementations/);
  await page.goBack();
  await answered(page);
  assert.equal(await neededOn(page), needed);
  await page.click(".toggle");
  await page.locator("input[name=must]:checked").first().uncheck();
  await page.reload();
  await answered(page);
  assert.equal(await neededOn(page), needed);
  await page.evaluate(() => history.replaceState({ needs: { heading: "old" } }, ""));
  await page.reload();
  await answered(page);
  assert.equal(await page.innerText(".needed"), "");
  assert.equal(await page.evaluate(() => history.state), null);
  page.sound();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in an answer, and it fits: ${colorScheme}`, async () => {
    for (const width of [320, 390, 1280]) {
      const page = await site.page({ colorScheme, viewport: { width, height: 800 } });
      await page.goto(`${site.address}check/`);
      const long = broken.replace("organization: ", `organization: ${"unbroken".repeat(40)}`);
      await page.setInputFiles("#files", { name: "report.yaml", mimeType: "text/yaml", buffer: Buffer.from(long) });
      await done(page);
      await fits(page, width);
      await page.goto(`${site.address}find/`);
      await answered(page);
      await page.fill("#manifests-text", readFileSync(join(examples, "redirects.yaml"), "utf8"));
      await page.click("#manifests button[type=submit]");
      await page.waitForFunction(() => /needed by/.test(document.querySelector(".needed").textContent), null, {
        timeout: LOADING,
      });
      await fits(page, width);
      page.sound();
    }
  });
}

async function fits(page, width) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${page.url()} ${over} px too wide at ${width}`);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    resultTypes: ["violations"],
  });
  const { violations } = await axe.analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary}`),
    [],
  );
}
