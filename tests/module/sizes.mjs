// Prints module sizes and fails if one exceeds its limit: `node sizes.mjs DIR LIMITS`. Lines of LIMITS look
// like `check.wasm raw 5000000`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [, , folder, limits] = process.argv;
const SIZES = {
  raw: (bytes) => bytes.length,
  gzip: (bytes) => gzipSync(bytes, { level: 9 }).length,
  brotli: (bytes) => brotliCompressSync(bytes).length,
};
const lines = readFileSync(limits, "utf8").split("\n");
for (const line of lines.filter((one) => one.trim() && !one.startsWith("#"))) {
  const [name, kind, most] = line.trim().split(/\s+/);
  const size = SIZES[kind](readFileSync(join(folder, name)));
  const isFit = size <= Number(most);
  console.log(`${name} ${kind}: ${size} bytes, at most ${most}${isFit ? "" : ": TOO LARGE"}`);
  if (!isFit) process.exitCode = 1;
}
