// Compares the module with the program on the corpus, the sample tree, rule page examples and hostile input.
// Run by .ci/browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { open } from "./module.mjs";

const { GWCONFORM, GWCONFORM_BROWSER, GWCONFORM_KEEP, GWCONFORM_CORPUS } = process.env;
assert.ok(GWCONFORM && GWCONFORM_BROWSER && GWCONFORM_KEEP, "run .ci/browser");
const root = new URL("../..", import.meta.url).pathname;
const corpus = join(GWCONFORM_CORPUS || join(root, "../shared/corpus"), "gateway-api");

/** Limits of the pages. */
const MAX_FILE_BYTES = 5_000_000;

const program = (folder, ...words) => {
  const ran = spawnSync(GWCONFORM, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30, env: { HOME: "/" } });
  return { document: ran.stdout ? JSON.parse(ran.stdout) : null, error: ran.stderr, code: ran.status };
};

/** All files below a folder by path. Returns nothing if the folder has entries that a page cannot read: links,
 * large files, names that are not text, empty folders, or repositories. */
function files(folder, below = folder) {
  const found = [];
  for (const name of readdirSync(below, { encoding: "buffer" })) {
    const text = name.toString();
    if (!Buffer.from(text).equals(name)) return null;
    if (text === ".git" && below === folder) continue;
    if (text === ".git") return null;
    const path = join(below, text);
    const info = lstatSync(path);
    if (info.isDirectory()) {
      const inside = files(folder, path);
      if (!inside || inside.length === 0) return null;
      found.push(...inside);
    } else if (!info.isFile() || info.size > MAX_FILE_BYTES) return null;
    else found.push({ path: relative(folder, path), bytes: new Uint8Array(readFileSync(path)) });
  }
  return found;
}

/** Differences as path, expected and actual value. */
function differences(a, b, at = "") {
  if (Object.is(a, b)) return [];
  if (typeof a !== "object" || typeof b !== "object" || !a || !b)
    return [`${at}: ${JSON.stringify(a)} ${JSON.stringify(b)}`];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) => differences(a[key], b[key], `${at}/${key}`));
}

const module = open(join(GWCONFORM_BROWSER, "check.wasm"));
const smaller = open(join(GWCONFORM_BROWSER, "needs.wasm"));

/** Invisible and reordering characters. The library replaces each with one visible character. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;
const MAX_EXCERPT_BYTES = 2048;

/** The excerpt has two lines of the file before and after the finding, unless they are too long. */
function excerptIsOf({ before, first, text, after }, rows, path, what) {
  const own = text.split("\n");
  const shown = [...before, ...own, ...after];
  const real = rows.slice(first - 1 - before.length, first - 1 + own.length + after.length);
  const size = (lines) => lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  assert.ok(size(shown) <= 2 * MAX_EXCERPT_BYTES, what);
  for (const line of shown) assert.doesNotMatch(line.replaceAll("\t", ""), UNSEEN, what);
  // If a log contains the report, the library shows other lines than the file has.
  const plain = (line) => line.replace(UNSEEN, "").replace(/[\u2400-\u2421\ufffd]/g, "");
  if (before.length + after.length > 0) assert.deepEqual(shown.map(plain), real.map(plain), what);
  const inFile = rows.at(-1) === "" ? rows.length - 1 : rows.length;
  const isAll =
    before.length === Math.min(2, first - 1) && after.length === Math.min(2, inFile - first + 1 - own.length);
  const around = rows.slice(Math.max(first - 3, 0), first + 1 + own.length);
  // In other files, lines near a finding may contain secrets.
  const kinds = rows.filter((row) => row.startsWith("kind:")).map((row) => row.trimEnd());
  const isReport = kinds.length === 1 && kinds[0] === "kind: ConformanceReport";
  const isPublic = isReport || /\.md$/i.test(path);
  if (!isPublic) assert.equal(before.length + after.length, 0, what);
  else if (
    size(around) <= MAX_EXCERPT_BYTES &&
    real.slice(before.length, before.length + own.length).join("\n") === text
  ) {
    assert.ok(isAll, what);
  }
}

/** The module and the program have the same findings. */
async function same(folder, all, ...words) {
  const expected = program(folder, "check", "--allow-empty", "--format", "json", "--exit-zero", ...words);
  const found = await module.call("check", all);
  if (expected.code !== 0) {
    const [first] = expected.error.trim().split("\n").slice(-1);
    assert.ok(found.error, `${folder}: ${first}`);
    assert.ok(first.includes(found.error.split("; ")[0]), `${folder}: ${first} / ${found.error}`);
    return 0;
  }
  assert.ok(found.answer, `${folder}: ${found.error}`);
  const { document, lines, markdown } = found.answer;
  assert.deepEqual(differences(expected.document, document).slice(0, 5), [], folder);
  assert.equal(lines.length, document.findings.length);
  const inFiles = new Map(
    all.map(({ path, bytes }) => [path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).split("\n")]),
  );
  lines.forEach((one, at) => {
    if (!one) return;
    const { path, line, end_line: end } = document.findings[at];
    assert.equal(one.first, line);
    excerptIsOf(one, inFiles.get(path) ?? [], path, `${folder}: ${path}:${line}`);
    assert.ok(one.start <= one.end && one.end <= one.text.length);
    const rows = one.text.slice(0, one.start).split("\n").length - 1;
    assert.ok(line + rows <= end, folder);
  });
  assert.ok(markdown.length > 0);
  return document.findings.length;
}

/** Submissions are at `RELEASE/IMPLEMENTATION`. */
const submissions = (tree) =>
  readdirSync(tree, { withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name.startsWith("v"))
    .flatMap(({ name }) =>
      readdirSync(join(tree, name), { withFileTypes: true })
        .filter((one) => one.isDirectory())
        .map((one) => join(tree, name, one.name)),
    );

/** A copy outside of repositories, whose names would be part of the paths that the program prints. */
function copied(folder) {
  const copy = join(mkdtempSync(join(tmpdir(), "gwconform-copy-")), "copy");
  assert.equal(spawnSync("cp", ["-a", folder, copy]).status, 0);
  return copy;
}

async function tree(path, name) {
  const folder = copied(join(path, name));
  let [reports, found] = [0, 0];
  for (const submission of submissions(folder)) {
    const all = files(submission).map(({ path, bytes }) => ({
      path: join(relative(folder, submission), path),
      bytes,
    }));
    found += await same(folder, all, relative(folder, submission));
    for (const { path, bytes } of all.filter((one) => one.path.endsWith(".yaml"))) {
      const lone = mkdtempSync(join(tmpdir(), "gwconform-lone-"));
      spawnSync("cp", [join(folder, path), lone]);
      found += await same(lone, [{ path: basename(path), bytes }], basename(path));
      rmSync(lone, { recursive: true });
      reports += 1;
    }
  }
  rmSync(dirname(folder), { recursive: true });
  return { reports, found };
}

test("the sample tree", async () => {
  const { reports, found } = await tree(root, "reports");
  assert.ok(reports > 50 && found > 10, `${reports} ${found}`);
  // Pages do not see links.
  const whole = submissions(join(root, "reports")).flatMap((submission) =>
    files(submission).map(({ path, bytes }) => ({ path: join(relative(root, submission), path), bytes })),
  );
  const copy = mkdtempSync(join(tmpdir(), "gwconform-tree-"));
  for (const { path, bytes } of whole) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), bytes);
  }
  await same(copy, whole);
  const verdicts = program(copy, "certify", "--allow-empty", "--format", "json");
  const certified = await module.call("certify", whole);
  assert.deepEqual(differences(verdicts.document, certified.answer).slice(0, 5), []);
  rmSync(copy, { recursive: true });
});

test("the corpus", async (context) => {
  let { reports, found } = { reports: 0, found: 0 };
  try {
    lstatSync(corpus);
  } catch {
    context.skip("corpus: not run (set GWCONFORM_CORPUS)");
    return;
  }
  ({ reports, found } = await tree(corpus, "conformance/reports"));
  assert.ok(reports > 150, String(reports));
  context.diagnostic(`${reports} reports and their submissions, ${found} findings, 0 differences`);
});

for (const [group, least] of [
  ["rules", 200],
  ["hostile", 50],
]) {
  test(`what the tests keep: ${group}`, async (context) => {
    const place = join(GWCONFORM_KEEP, group);
    let [run, found] = [0, 0];
    const left = [];
    for (const number of readdirSync(place)) {
      const all = files(join(place, number));
      if (!all?.length) {
        left.push(number);
        continue;
      }
      const folder = copied(join(place, number));
      const usual = ["conformance/reports", "reports"].some((one) =>
        all.some(({ path }) => path.startsWith(`${one}/`)),
      );
      found += await same(folder, all, ...(usual ? [] : named(all)));
      rmSync(dirname(folder), { recursive: true });
      run += 1;
    }
    assert.ok(run >= least, `${run} of ${group}`);
    const why = "a link, an empty folder, a repository, more than 5 MB, or a name that is not text";
    context.diagnostic(`${run} run, ${found} findings, 0 differences; left out since they have ${why}: ${left.length}`);
  });
}

/** Without a tree in its usual place, the program gets the path of a partial tree, or of all files. */
function named(all) {
  const [first, ...others] = all.map(({ path }) => path.split("/"));
  const shared = first.filter((_, at) =>
    others.every((other) => first.slice(0, at + 1).every((name, nth) => other[nth] === name)),
  );
  return shared.some((name) => /^v\d/.test(name)) ? [shared.join("/")] : all.map(({ path }) => path);
}

const manifests = join(root, "examples/needs");
const manifest = (name) => ({
  path: `examples/needs/${name}`,
  bytes: new Uint8Array(readFileSync(join(manifests, name))),
});
test("needs", async () => {
  const names = readdirSync(manifests).filter((name) => name.endsWith(".yaml"));
  assert.equal(names.length, 11);
  for (const each of [...names.map((name) => [name]), names]) {
    const expected = program(manifests, "needs", "--format", "json", ...each);
    const all = each.map(manifest);
    for (const one of [module, smaller]) {
      const { answer } = await one.call("needs", all);
      assert.deepEqual(differences(expected.document, answer.document).slice(0, 5), [], each.join());
    }
  }
});

/** The data of a site, as `needs` reads it. */
function published(tree) {
  const out = mkdtempSync(join(tmpdir(), "gwconform-site-"));
  const made = spawnSync(GWCONFORM, ["site", tree, "--out", join(out, "site")], { encoding: "utf8" });
  assert.equal(made.status, 0, made.stderr);
  const files = ["index", "implementations", "reports"].map((name) => ({
    path: `api/v1/${name}.json`,
    bytes: new Uint8Array(readFileSync(join(out, `site/api/v1/${name}.json`))),
  }));
  rmSync(out, { recursive: true });
  return files;
}

/** The module answers from the data of a site as the program does from the tree. */
async function answersOf(tree) {
  const data = published(tree);
  const names = readdirSync(manifests).filter((name) => name.endsWith(".yaml"));
  let answers = 0;
  for (const each of [...names.map((name) => [name]), names]) {
    const expected = program(manifests, "needs", "--format", "json", "--in", tree, ...each).document;
    const all = each.map(manifest);
    const { answer, error } = await module.call("needs", [...all, ...data], { in: data.map(({ path }) => path) });
    assert.ok(answer, error);
    assert.deepEqual(differences(expected, answer.document).slice(0, 5), [], each.join());
    answers += answer.document.answers.length;
  }
  return answers;
}

test("needs, asked of the data of a site", async () => {
  assert.ok((await answersOf(join(root, "reports"))) > 50);
});

test("needs, asked of the data of the corpus", async (context) => {
  const tree = join(corpus, "conformance/reports");
  try {
    lstatSync(tree);
  } catch {
    context.skip("corpus: not run (set GWCONFORM_CORPUS)");
    return;
  }
  context.diagnostic(`${await answersOf(tree)} answers, 0 differences`);
});

test("needs: what is not the data of a site is refused in a sentence", async () => {
  const pod = { path: "a.yaml", bytes: new TextEncoder().encode("kind: Pod\n") };
  const data = published(join(root, "reports"));
  const [index, implementations, reports] = data;
  const text = (path, text) => ({ path, bytes: new TextEncoder().encode(text) });
  const changed = ({ path, bytes }, change) => {
    const json = JSON.parse(new TextDecoder().decode(bytes));
    change(json);
    return text(path, JSON.stringify(json));
  };
  const all = data.map(({ path }) => path);
  const contradicted = changed(reports, ({ reports }) => {
    reports[0].profiles[0].status = "banana";
  });
  const lacking = changed(reports, ({ reports }) => {
    delete reports[0].profiles[0].core;
  });
  const doubled = changed(implementations, ({ implementations }) => implementations.push(implementations[0]));
  for (const [files, names, words] of [
    [[pod, index, implementations, contradicted], all, /is banana in the data, and .+ by its results/],
    [[pod, index, implementations, lacking], all, /reports\.json: not index\.json, .*: missing field `core`/],
    [[pod, index, doubled, reports], all, /implementations\.json has `.+` twice/],
    [
      [pod, ...data, { ...reports, path: "more.json" }],
      [...all, "more.json"],
      /more\.json: .*: a file of this kind was already read/,
    ],
    [[pod], ["b.json"], /`b\.json` is not a file of the request/],
    [[pod, index, implementations], [index.path, implementations.path], /found no reports\.json/],
    [[pod, index, reports], [index.path, reports.path], /found no implementations\.json/],
    [
      [pod, index, text("i.json", '{"version": 1, "implementations": []}'), reports],
      [index.path, "i.json", reports.path],
      /\.yaml: implementation `.*` is not in implementations\.json/,
    ],
    [[pod, text("x.json", "[")], ["x.json"], /x\.json: not index\.json, .*: .*expected an object/],
    [[pod, text("x.json", '{"version": 2, "reports": []}')], ["x.json"], /x\.json: .*version 2 is not known/],
    [[pod, text("x.json", '{"version": 1}')], ["x.json"], /its fields match none of them/],
    [[pod], [pod.path], /a\.yaml: not index\.json/],
  ]) {
    const { error } = await module.call("needs", files, { in: names });
    assert.match(error ?? "", words);
  }
  const { error } = await smaller.call("needs", [pod, ...data], { in: data.map(({ path }) => path) });
  assert.match(error, /this module does not read the data of a site; check\.wasm does/);
});

test("diff and version", async () => {
  const folder = "reports/v1.5/acme-operator";
  const reports = files(join(root, folder)).filter(({ path }) => path.endsWith(".yaml"));
  const [old, later] = reports.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
  const { answer } = await module.call("diff", [old, later]);
  const expected = program(root, "diff", "--format", "json", old.path, later.path);
  assert.deepEqual(differences(expected.document, answer.document), []);
  assert.ok(answer.markdown.length > 0);
  const [version] = spawnSync(GWCONFORM, ["--version"], { encoding: "utf8" }).stdout.split("\n");
  for (const one of [module, smaller]) assert.equal(`gwconform ${(await one.call("version")).answer}`, version);
});

test("the lines around a finding", async () => {
  const report = readFileSync(join(root, "reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml"), "utf8");
  const broken = report.replace("result: success", "result: sucess");
  const rows = broken.split("\n");
  const at = rows.findIndex((row) => row.includes("sucess"));
  const lines = async (text) => {
    const { answer } = await module.call("check", [{ path: "a.yaml", bytes: new TextEncoder().encode(text) }]);
    const own = answer.document.findings.findIndex(({ message }) => message.includes("sucess"));
    return answer.lines[own];
  };
  const found = await lines(broken);
  assert.deepEqual(found.before, rows.slice(at - 2, at));
  assert.equal(found.first, at + 1);
  assert.equal(found.text, rows[at]);
  assert.equal(found.text.slice(found.start, found.end), "sucess");
  assert.deepEqual(found.after, rows.slice(at + 1, at + 3));
  const changed = [...rows];
  changed[at - 1] = `${rows[at - 1]} # ${"x".repeat(3000)}`;
  changed[at + 1] = `${rows[at + 1]} # \u202e\u200b\u0007 end`;
  changed[at] = `${rows[at]} # \u{e0041}`;
  const guarded = await lines(changed.join("\n"));
  assert.deepEqual(guarded.before, []);
  assert.equal(guarded.after[0], `${rows[at + 1]} # \ufffd\ufffd\u2407 end`);
  assert.equal(guarded.text, `${rows[at]} # \ufffd`);
  const first = await lines(report.replace(/^apiVersion: .*/, "apiVersion: sucess"));
  assert.deepEqual([first.first, first.before, first.after.length], [1, [], 2]);
  const secret = "apiVersion: v1\nkind: Secret\nstringData:\n  password: hunter2\n";
  for (const text of [secret, `${broken}---\n${secret}`, secret.replace("kind: Secret\n", "")]) {
    const { answer } = await module.call("check", [{ path: "a.yaml", bytes: new TextEncoder().encode(text) }]);
    assert.ok(answer.document.findings.length > 0);
    assert.ok(!JSON.stringify(answer).includes("hunter2"), text);
  }
});

test("a panic says what it was", async () => {
  // Larger than the memory of a module: the only panic that a caller can cause.
  const said = [];
  const bytes = readFileSync(join(GWCONFORM_BROWSER, "needs.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, {
    gwconform: {
      panicked: (at, length) => said.push(Buffer.from(instance.exports.memory.buffer, at, length).toString()),
    },
  });
  assert.throws(() => instance.exports.allocate(0xffffffff), WebAssembly.RuntimeError);
  assert.match(said.join(), /capacity overflow/);
});

test("what is not a request is refused in a sentence, and the next call is answered", async () => {
  const report = { path: "a.yaml", bytes: new TextEncoder().encode("a: [") };
  for (const [files, options, words] of [
    [[{ ...report, path: "../a" }], {}, /cannot be the path of a file/],
    [[report, report], {}, /is the path of two files/],
    [[report], { select: ["no/rule"] }, /no\/rule/],
    [[report], { nonsense: 1 }, /nonsense/],
  ]) {
    const { error, isBroken } = await module.call("check", files, options);
    assert.match(error, words);
    assert.ok(!isBroken);
  }
  assert.match((await smaller.call("check", [report])).error, /no call `check`/);
  assert.ok((await module.call("check", [report])).answer);
});
