// Shared by pages with a WebAssembly module: calls the module in a worker, and reads files that are chosen,
// dropped or pasted.

// biome-ignore lint/correctness/noUnusedVariables: the scripts of single pages use it
const gwconformModule = (() => {
  const MAX_FILE_BYTES = 5_000_000;
  const MAX_BYTES = 100_000_000;
  const MAX_FILES = 3000;

  /** False if the browser cannot run the module on this page. */
  const isThere = () =>
    typeof WebAssembly === "object" && typeof Worker === "function" && location.protocol !== "file:";

  /**
   * Opens the module given by `data-worker` and `data-module`. A new call cancels the previous one, whose result
   * would not be shown.
   */
  function open({ worker: address, module }) {
    let worker = null;
    let last = 0;
    const waiting = new Map();
    const url = new URL(module, location.href).href;

    function start() {
      worker = new Worker(new URL(address, location.href));
      worker.addEventListener("message", ({ data }) => {
        waiting.get(data.id)?.done(data);
        waiting.delete(data.id);
      });
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        end({ error: "it could not be started", isLoaded: false });
      });
    }

    /** Terminates the worker and resolves pending calls with this answer. */
    function end(answer) {
      worker?.terminate();
      worker = null;
      for (const { done } of waiting.values()) done(answer);
      waiting.clear();
    }

    const ask = (message) =>
      new Promise((done) => {
        try {
          if (!worker) start();
          last += 1;
          waiting.set(last, { done, isCall: "call" in message });
          worker.postMessage({ id: last, module: url, ...message });
        } catch (error) {
          end({ error: error.message, isLoaded: false });
          done({ error: error.message, isLoaded: false });
        }
      });

    const stop = () => end({ error: "stopped" });
    return {
      stop,
      load: () => ask({}),
      call: (call, files, options = {}) => {
        if ([...waiting.values()].some(({ isCall }) => isCall)) stop();
        return ask({ call, files, options });
      },
    };
  }

  // Large folders that are never part of a submission.
  const isLeftOut = (path) => path.split("/").some((name) => name === ".git" || name === "node_modules");

  /** The message is a complete sentence for the user. */
  class Refused extends Error {}

  /**
   * Reads `[path, File]` pairs. If a file is too large, all files are rejected. With `cutsLarge`, large files among
   * several are truncated just above the limit instead, and the module reports them as too large.
   */
  async function read(chosen, most = MAX_FILE_BYTES, { cutsLarge = false } = {}) {
    const files = chosen.filter(([path]) => !isLeftOut(path));
    if (files.length === 0) throw new Refused("No readable files found.");
    if (files.length > MAX_FILES) {
      throw new Refused(`The limit is ${MAX_FILES} files. Choose fewer files.`);
    }
    const large = files.find(([, file]) => file.size > most);
    if (large && !(cutsLarge && files.length > 1)) {
      const [size, limit] = [large[1].size, most].map((bytes) => (bytes / 1e6).toFixed(1));
      throw new Refused(`${large[0]} has ${size} MB; the limit is ${limit} MB. No file was read.`);
    }
    if (files.reduce((sum, [, file]) => sum + Math.min(file.size, most), 0) > MAX_BYTES) {
      throw new Refused("These files have more than 100 MB in total. Choose fewer files.");
    }
    return Promise.all(
      files.map(async ([path, file]) => {
        try {
          return { path, bytes: new Uint8Array(await file.slice(0, most + 1).arrayBuffer()) };
        } catch {
          throw new Refused(`${path} could not be read: it may have changed since. Choose it again.`);
        }
      }),
    );
  }

  /**
   * Calls `use` with the chosen files. The value is cleared so that the same file can be chosen again after a
   * change.
   */
  function onChoice(input, use) {
    input.addEventListener("click", () => {
      input.value = "";
    });
    input.addEventListener("change", () => {
      if (input.files.length) use(chosen(input.files));
    });
  }

  const chosen = (list) => [...list].map((file) => [file.webkitRelativePath || file.name, file]);

  /** Dropped files, including those in dropped folders. */
  async function dropped(transfer) {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry);
    if (entries.length === 0) return chosen(transfer.files);
    const files = [];
    const promised = (ask) => new Promise((done, failed) => ask(done, failed));
    async function walk(entry) {
      const path = entry.fullPath.replace(/^\//, "");
      if (isLeftOut(path) || files.length > MAX_FILES) return;
      if (entry.isFile) {
        files.push([path, await promised((done, failed) => entry.file(done, failed))]);
        return;
      }
      const reader = entry.createReader();
      for (;;) {
        const some = await promised((done, failed) => reader.readEntries(done, failed));
        if (some.length === 0) return;
        for (const one of some) await walk(one);
      }
    }
    for (const entry of entries) await walk(entry);
    return files;
  }

  /** Calls `use` with the files dropped on an element. */
  function dropZone(place, use) {
    const isOver = (is) => place.classList.toggle("over", is);
    for (const name of ["dragenter", "dragover"]) {
      place.addEventListener(name, (event) => {
        if (![...event.dataTransfer.types].includes("Files")) return;
        event.preventDefault();
        isOver(true);
      });
    }
    place.addEventListener("dragleave", (event) => {
      if (!place.contains(event.relatedTarget)) isOver(false);
    });
    place.addEventListener("drop", (event) => {
      isOver(false);
      if (event.dataTransfer.items.length === 0 || event.dataTransfer.types.every((type) => type !== "Files")) return;
      event.preventDefault();
      use(dropped(event.dataTransfer));
    });
  }

  const pasted = (path, text) => [[path, new File([text], path)]];

  // Elements with overflow become focusable and get an accessible name, so that they can be scrolled with the
  // keyboard.
  const observer = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      const isScrolling = target.scrollWidth > target.clientWidth;
      const stop = { tabindex: "0", role: "group", "aria-label": target.dataset.name };
      for (const [name, value] of Object.entries(stop)) {
        if (isScrolling) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });

  /** Makes an element focusable while it overflows. */
  function scrolling(element, name) {
    element.dataset.name = name;
    observer.observe(element);
    return element;
  }

  /**
   * Announces a result. If the focus is on the body or an element in `free`, it moves to the result heading, which
   * is then read aloud and scrolled into view. Otherwise the live region announces the heading, so that the user
   * keeps the focus.
   */
  function arrive(title, region, free, more) {
    const isFree = [document.body, ...free].includes(document.activeElement);
    if (isFree) title.focus();
    region.textContent = [isFree ? "" : title.textContent, more].filter((one) => one).join(". ");
  }

  // Version of the stored format. Results stored by another version of the page are ignored.
  const KEPT = 5;
  const MAX_KEPT = 1_000_000;

  /** Keeps the result of a page in the tab's history, so that the Back button restores it. */
  function answers(name) {
    let current = null;
    const put = (state) => {
      current = state;
      history.replaceState(state, "", location.href);
    };
    const forget = () => put(null);
    // Links within the page create a history entry without the stored result.
    window.addEventListener("hashchange", () => {
      if (current && !history.state) put(current);
    });
    return {
      forget,
      remember(answer) {
        const state = { [name]: answer, version: KEPT };
        put(JSON.stringify(state).length <= MAX_KEPT ? state : null);
      },
      /** Shows the stored result. A result that cannot be shown is deleted. */
      recall(show, clear) {
        const { state } = history;
        if (!state?.[name]) return;
        try {
          if (state.version !== KEPT) throw new Error("another version");
          show(state[name]);
          current = state;
        } catch {
          forget();
          clear();
        }
      },
    };
  }

  /** Describes a failed call in a sentence. */
  function sentence({ error, isBroken, isLoaded }) {
    if (isBroken) return `The checker failed on this input (${error}). It was restarted; please report the problem.`;
    if (isLoaded === false) return `The checker could not be loaded (${error}).`;
    return `Not checked: ${error}`;
  }

  return { isThere, open, read, onChoice, dropZone, pasted, scrolling, arrive, answers, sentence, Refused };
})();
