// Runs the modules in Node.js with the worker of the site.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

/** `call(name, files, options)` returns the message that the worker would post. */
export function open(file) {
  const bytes = readFileSync(file);
  const listeners = [];
  const waiting = new Map();
  const scope = {
    WebAssembly,
    TextDecoder,
    TextEncoder,
    Uint8Array,
    DataView,
    JSON,
    fetch: async () => new Response(bytes),
    addEventListener: (_, use) => listeners.push(use),
    postMessage: (answer) => waiting.get(answer.id)(answer),
  };
  scope.self = scope;
  runInContext(readFileSync(new URL("../../site/worker.js", import.meta.url), "utf8"), createContext(scope));
  let last = 0;
  return {
    call(call, files = [], options = {}) {
      last += 1;
      const id = last;
      const answered = new Promise((done) => waiting.set(id, done));
      for (const use of listeners) use({ data: { id, module: file, call, files, options } });
      return answered;
    },
  };
}
