// A minimal static file server, like the servers that host the site.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = {
  ".atom": "application/atom+xml",
  ".css": "text/css",
  ".csv": "text/csv",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Serves only files in the folder, under `prefix`. `answer` returns true for requests that it handles itself. */
export async function serve(folder, prefix, answer = () => false) {
  const server = createServer(async (request, response) => {
    if (answer(request, response)) return;
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = path.startsWith(prefix) && !path.includes("..") ? path.slice(prefix.length) : "//";
    const name = join(folder, file.endsWith("/") || file === "" ? `${file}index.html` : file);
    const bytes = await readFile(name).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { "content-type": (bytes && TYPES[extname(name)]) ?? "text/plain" });
    response.end(bytes ?? "not found");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://localhost:${server.address().port}${prefix}`;
  return { address, close: () => new Promise((done) => server.close(done)) };
}
