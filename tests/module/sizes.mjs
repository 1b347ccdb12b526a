// Prints module sizes, and fails if one is more than 1 % above its figure: `node sizes.mjs DIR FIGURES`. Lines of
// FIGURES look like `check.wasm raw 5000000`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [, , folder, figures] = process.argv;
const SIZES = {
  raw: (bytes) => bytes.length,
  gzip: (bytes) => gzipSync(bytes, { level: 9 }).length,
  brotli: (bytes) => brotliCompressSync(bytes).length,
};
const lines = readFileSync(figures, "utf8").split("\n");
for (const line of lines.filter((one) => one.trim() && !one.startsWith("#"))) {
  const [name, kind, recorded] = line.trim().split(/\s+/);
  const size = SIZES[kind](readFileSync(join(folder, name)));
  const growth = size / Number(recorded) - 1;
  let request = "";
  if (growth > 0.01) {
    request = ": TOO LARGE; to raise the figure, edit it in a commit of its own that gives the reason";
    process.exitCode = 1;
  } else if (growth < -0.01) {
    request = "; record this smaller size";
  }
  console.log(`${name} ${kind}: ${size} bytes, recorded ${recorded}${request}`);
}
