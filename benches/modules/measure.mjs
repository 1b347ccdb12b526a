// Prints the CPU time of checks in the browser module, run by Node.js, which has the engine of Chromium.
//
//     node benches/modules/measure.mjs check.wasm TREE
//
// The first check includes the compilation of the module. With the option --liftoff-only, Node.js does not optimize
// the module while it runs.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { open } from "../../tests/module/module.mjs";

const RUNS = 10;
const [module, tree] = process.argv.slice(2);
if (!tree) throw new Error("expected a module and a reports tree");

const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile() && /\.(ya?ml|md)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .map((path) => ({ path: join("conformance/reports", relative(tree, path)), bytes: readFileSync(path) }));
const submission = files.at(-1).path.split("/").slice(0, 4).join("/");

async function measure(name, files) {
  const { call } = open(module);
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    const { error } = await call("check", files);
    if (error) throw new Error(error);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const [first, ...others] = times.map(Math.round);
  console.log(`${name}: ${files.length} files, first check ${first} ms, fastest further check ${Math.min(...others)} ms`);
}

await measure(
  "one submission",
  files.filter(({ path }) => path.startsWith(`${submission}/`)),
);
await measure("the tree", files);
