// Measures pages at many widths: loads each page in a frame, widens the frames step by step, and posts the
// results to the server. This needs no browser protocol, so it also works in Firefox.
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./server.mjs";

const widths = (step) => Array.from({ length: 1 + 1600 / step }, (_, at) => 320 + step * at);

const CHROMIUM = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"];
const BROWSERS = {
  // Hidden frames are not painted, which saves two thirds of the time.
  chromium: {
    flags: (profile) => [...CHROMIUM, "--hide-scrollbars", "--window-size=2000,900", `--user-data-dir=${profile}`],
    visibility: "hidden",
  },
  // Firefox throttles scripts in hidden frames.
  firefox: {
    flags: (profile) => ["--headless", "--no-remote", "--width=2000", "--height=900", "--profile", profile],
    visibility: "visible",
  },
};
const MOST_SECONDS = 300;

/** Returns a list for each path, with an entry for each width. */
export async function measure(browser, executable, folder, paths, step) {
  const { flags, visibility } = BROWSERS[browser];
  const profile = mkdtempSync(join(tmpdir(), "widths-"));
  let child;
  let server;
  let timer;
  try {
    const measured = new Promise((done, fail) => {
      const answer = (request, response) => {
        if (request.url === "/frames") {
          response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
          const call = `sweep(${JSON.stringify([paths, widths(step), visibility])}).catch((error) => ({ error: String(error) }))`;
          const send = '(found) => fetch("/measured", { method: "POST", body: JSON.stringify(found) })';
          response.end(
            `<!DOCTYPE html><title>Frames</title><script type="module">${sweep}${call}.then(${send})</script>`,
          );
        } else if (request.url === "/measured") {
          let text = "";
          request.setEncoding("utf8").on("data", (part) => {
            text += part;
          });
          request.on("end", () => done(JSON.parse(text)));
          response.end();
        } else return false;
        return true;
      };
      timer = setTimeout(() => fail(new Error(`${browser} has not answered`)), MOST_SECONDS * 1000);
      serve(folder, "/", answer).then((own) => {
        server = own;
        child = spawn(executable, [...flags(profile), `${own.address}frames`], { stdio: "ignore" });
        child.on("error", fail);
        child.on("exit", () => fail(new Error(`${browser} ended`)));
      }, fail);
    });
    const found = await measured;
    if (found.error) throw new Error(found.error);
    return found;
  } finally {
    clearTimeout(timer);
    if (child?.pid && child.exitCode === null) {
      const ended = new Promise((done) => child.on("exit", done));
      child.kill();
      await ended;
    }
    await server?.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Runs in the browser. */
async function sweep([paths, widths, visibility]) {
  const HEIGHT = 900;
  const load = (path) =>
    new Promise((done) => {
      const frame = document.createElement("iframe");
      // Browsers throttle scripts in frames outside the window.
      Object.assign(frame.style, { position: "fixed", inset: "0", border: "0", height: `${HEIGHT}px`, visibility });
      frame.addEventListener("load", () => done(frame));
      frame.src = `/${path}`;
      document.body.append(frame);
    });
  const frames = await Promise.all(paths.map(load));
  const drawn = ({ contentWindow: own }) =>
    new Promise((done) => own.requestAnimationFrame(() => own.requestAnimationFrame(done)));
  const isWaiting = ({ contentDocument: own }) => own.querySelector(".results")?.textContent.includes("Loading");
  while (frames.some(isWaiting)) await Promise.all(frames.map(drawn));

  const texts = frames.map(({ contentDocument: own }) => {
    const walker = own.createTreeWalker(own.querySelector("main"), NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walker.nextNode())
      if (/\S\s+\S+\s+\S/.test(walker.currentNode.data)) found.add(walker.currentNode.parentElement);
    return [...found];
  });
  const style = (one) => one.ownerDocument.defaultView.getComputedStyle(one);
  const named = (one) =>
    `${one.localName}.${one.className}: ${one.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}`;
  /** Whether lines of text have only a few letters. */
  const isThin = (one) => {
    const { width, height } = one.getBoundingClientRect();
    return width > 0 && height > 4 * width && style(one).writingMode === "horizontal-tb";
  };
  /** Whether a table is cut, with no box to scroll to the rest. */
  const isCut = (table) => {
    const { right } = table.getBoundingClientRect();
    for (let box = table.parentElement; box; box = box.parentElement) {
      const { overflowX } = style(box);
      if (["auto", "scroll"].includes(overflowX)) return false;
      if (overflowX !== "visible" && right > box.getBoundingClientRect().right + 1) return true;
    }
    return false;
  };

  const found = frames.map(() => []);
  for (const width of widths) {
    for (const frame of frames) frame.style.width = `${width}px`;
    await Promise.all(frames.map(drawn));
    frames.forEach(({ contentDocument: own }, at) => {
      const { scrollWidth, clientWidth, scrollHeight } = own.documentElement;
      found[at].push({
        width,
        over: scrollWidth - clientWidth,
        high: scrollHeight,
        thin: texts[at].filter(isThin).map(named),
        cut: [...own.querySelectorAll("main table")].filter(isCut).map(named),
      });
    });
  }
  return found;
}
