// Loads wizard data into the wizard of the Gateway API, compiled from unmodified sources.
//
//     node .ci/wizard.mjs wasm_exec.js main.wasm DATA.json…
//
// No browser is used. The class Page below implements the parts of a document that the program uses. The program
// loads the data and lists releases, and each listed release is tested. The same data with an invalid list must end
// the program, which proves that the program reads the data.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [runtime, program, ...files] = process.argv.slice(2);
vm.runInThisContext(readFileSync(runtime, "utf8"), { filename: runtime });
const compiled = await WebAssembly.compile(readFileSync(program));

class Element {
  children = [];
  classes = new Set();
  classList = { add: (name) => this.classes.add(name), remove: (name) => this.classes.delete(name) };
  disabled = true;
  listeners = {};
  style = {};
  #html = "";
  get innerHTML() {
    return this.#html;
  }
  set innerHTML(html) {
    this.#html = html;
    this.children = [];
  }
  addEventListener(type, listener) {
    (this.listeners[type] ??= []).push(listener);
  }
  appendChild(child) {
    this.children.push(child);
  }
  fire(type) {
    for (const listener of this.listeners[type] ?? []) listener({ target: this });
  }
  scrollIntoView() {}
}

class Page {
  body = new Element();
  checked = new Set();
  elements = new Map();
  createElement() {
    return new Element();
  }
  getElementById(id) {
    if (!this.elements.has(id)) this.elements.set(id, new Element());
    return this.elements.get(id);
  }
  // Supports `#table tbody`, and the checked box of a feature in a table.
  querySelector(selector) {
    const table = selector.match(/^#([a-z-]+) tbody$/);
    if (table) return this.getElementById(table[1]);
    const [, name] = selector.match(/^input\[name="([^"]+)"\]:checked$/);
    const isShown = [...this.elements.values()].some((element) => element.innerHTML.includes(`name="${name}"`));
    return isShown && this.checked.has(name) ? { value: "must" } : null;
  }
  querySelectorAll() {
    return [];
  }
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

// Starts the program with the data. Returns the page and, if the program has ended, its output.
async function started(data) {
  const page = new Page();
  const said = [];
  const log = console.log;
  console.log = (text) => said.push(text);
  Object.assign(globalThis, {
    document: page,
    fetch: async () => ({ ok: true, json: async () => data }),
    scrollTo: () => {},
  });
  const go = new Go();
  go.exit = () => {};
  let isEnded = false;
  go.run(await WebAssembly.instantiate(compiled, go.importObject)).then(
    () => (isEnded = true),
    () => (isEnded = true),
  );
  for (let turn = 0; turn < 500 && !isEnded && page.getElementById("recommend-btn").disabled; turn += 1) await turns();
  console.log = log;
  return { page, ended: isEnded ? said.join("\n") || "without a word" : "" };
}

// Selects a feature. Returns the number of implementations that the page lists.
function answers(page, name) {
  page.checked = new Set([name]);
  page.getElementById("recommend-btn").fire("click");
  assert.ok(page.getElementById("results").classes.has("visible"), `no answer for ${name}`);
  const rows = page.getElementById("results-content").innerHTML.match(/<tr><td>/g) ?? [];
  const status = page.getElementById("wizard-data-status").textContent;
  assert.equal(Number(status.split(" ")[0]), rows.length, status);
  return rows.length;
}

for (const file of files) {
  const data = JSON.parse(readFileSync(file, "utf8"));
  const { page, ended } = await started(data);
  assert.equal(ended, "", `${file}: the program ended:\n${ended}`);
  const minors = Object.keys(data).filter((key) => /^v\d+\.\d+$/.test(key));
  minors.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const options = page.getElementById("version-select").children.map((option) => option.value);
  const newest = minors.slice(0, 3).map((minor) => `${minor}.0`);
  assert.deepEqual(options, newest, `${file}: releases`);
  const lines = [];
  for (const option of options) {
    const select = page.getElementById("version-select");
    select.value = option;
    select.fire("change");
    const boxes = [...page.elements.values()].flatMap((table) => [...table.innerHTML.matchAll(/name="(req-[^"]+)"/g)]);
    const names = [...new Set(boxes.map((box) => box[1]))];
    const found = names.map((name) => answers(page, name));
    assert.ok(Math.max(...found) > 0, `${file}: no implementation for any feature of ${option}`);
    lines.push(`${option}: ${names.length} features, up to ${Math.max(...found)} implementations`);
  }
  console.log(`${file}: ${lines.join("; ")}`);
  const { ended: reason } = await started({ ...data, reports: [] });
  assert.match(reason, /panic/, `${file}: a list that is not that of a release does not end the program`);
}
process.exit(0);
