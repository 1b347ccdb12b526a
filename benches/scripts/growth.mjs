// Prints the CPU time of functions of the site's scripts for texts of n and 4 n characters, as JSON:
// [[name, n, seconds at n, seconds at 4 n], …]. Node.js runs the scripts in a document whose properties and calls all
// return a value like the document.
//
//     node benches/scripts/growth.mjs
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

// The check page looks at 4 n characters of a file.
const LENGTH = 50_000;
const FINDINGS = 5_000;

const TEXTS = [
  ..."a.:#/-=_`*[<&{} 1\t\n",
  "{{",
  "{{}",
  "{{ a\n",
  "}}{{",
  "{ ",
  'kind: "',
  '{"kind": ',
  "gatewayAPIVersion: ",
  "www.",
  "v1.1",
  "\u200b",
];

function anything(own = {}) {
  const get = (_, name) => own[name] ?? (name === Symbol.toPrimitive ? () => "" : anything());
  return new Proxy(() => {}, { get, set: () => true, apply: () => anything() });
}

const location = new URL("https://acme.example/");
const common = { URL, URLSearchParams, TextEncoder, TextDecoder, location };

function run(name, globals, value) {
  const source = readFileSync(new URL(`../../site/${name}`, import.meta.url), "utf8");
  return runInNewContext(`${source}\n;${value}`, { ...common, ...globals });
}

const document = anything({ currentScript: { src: location.href }, querySelectorAll: () => [], getElementById: () => null });
const page = run("page.js", { document, addEventListener: () => {}, Node: Object }, "gwconform");

/** The check page with this place in the tree, and this answer of the module: a function that checks files. */
function checking(place, answer) {
  let check;
  const gwconformModule = anything({
    isThere: () => true,
    open: () => ({ call: async () => ({ answer }) }),
    read: async (files) => files,
    onChoice: (_, use) => {
      check = use;
    },
    answers: () => anything(),
    Refused: class extends Error {},
  });
  const gwconform = anything({ ...page, make: () => anything(), keep: () => {}, kept: () => "" });
  const elements = anything({ place: { value: place, addEventListener: () => {} } });
  const element = anything({ querySelector: (selector) => (selector === "form" ? anything({ elements }) : anything()) });
  run("check.js", { gwconform, gwconformModule, document: anything({ getElementById: () => element }) }, "");
  return check;
}

const summary = { errors: 1, warnings: 0, infos: 0, reports: 1 };
const answered = (findings) => ({
  document: { summary, findings, skipped: [] },
  lines: findings.map(() => ({ before: [], first: 1, text: "a", start: 0, end: 1, after: [] })),
});
const finding = { rule: "report/date", severity: "error", line: 1, column: 1, path: "a", message: "`a`", labels: [] };

const file = (text) => [{ path: "a.yaml", bytes: new TextEncoder().encode(text) }];
const snippets = ["markdown", "asciidoc", "html"];
const FUNCTIONS = {
  markdown: (text) => page.markdown(text),
  address: (text) => page.markdownAddress(text),
  snippet: (text) => snippets.map((markup) => page.snippet(markup, text, text, text)),
  prose: (text) => page.prose(text),
  "check, content": (text) => checking("", answered([]))(file(text)),
  "check, place": (text) => checking(`${text}x`, answered([]))(file("a")),
};

async function seconds(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const rows = [];
async function measure(name, n, work) {
  await work(n);
  rows.push([name, n, await seconds(() => work(n)), await seconds(() => work(4 * n))]);
}
for (const [name, work] of Object.entries(FUNCTIONS)) {
  for (const text of TEXTS) {
    const repeated = (n) => text.repeat(Math.ceil(n / text.length));
    await measure(`${name}: ${JSON.stringify(text)}`, LENGTH, (n) => work(repeated(n)));
  }
}
await measure("check, findings", FINDINGS, (n) => checking("", answered(Array(n).fill(finding)))(file("a")));
console.log(JSON.stringify(rows));
