// Shared by all pages: filters, copy buttons, collapsible rows and sortable tables. Pages work without JavaScript;
// this script adds controls and keeps their settings in the URL.

const gwconform = (() => {
  // The site folder is the parent of the script's folder.
  const root = new URL("../", document.currentScript.src).href;

  /**
   * Creates an element. Null attributes are omitted, and functions become event listeners. Texts may come from
   * reports, so invisible characters are made visible.
   */
  function make(name, attributes = {}, ...inside) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "function") element.addEventListener(key, value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== null && value !== undefined && value !== false)
        element.setAttribute(key, visible(String(value)));
    }
    const parts = inside.flat(9).filter((one) => one !== null && one !== undefined);
    element.append(...parts.map((one) => (one instanceof Node ? one : visible(String(one)))));
    return element;
  }

  /** Formats text with `code` in backquotes. */
  const prose = (text) => text.split("`").map((part, at) => (at % 2 ? make("code", {}, part) : part));

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  /** Stores values in the URL query; empty values are removed. With `pushState`, a new URL adds to the history. */
  function keep(values, method = "replaceState") {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(values)) {
      query.delete(name);
      for (const one of [value].flat()) if (one !== "" && one !== null) query.append(name, one);
    }
    // Commas and slashes need no escaping in a query and are more readable.
    const text = query.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
    const search = text && `?${text}`;
    const own = search === location.search ? "replaceState" : method;
    history[own](history.state, "", location.pathname + search + location.hash);
  }

  const kept = (name) => new URLSearchParams(location.search).get(name) ?? "";

  // Must match crates/gwconform-base/src/text/escape.rs and src/site/badge/snippet.rs; a test compares them.
  const INVISIBLE =
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
  const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const visible = (text) => text.replace(INVISIBLE, (c) => NAMED[c] ?? `\\u{${c.codePointAt(0).toString(16)}}`);
  const percent = (c) =>
    [...new TextEncoder().encode(c)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

  /** Escapes text for a line of Markdown. */
  function markdown(raw) {
    const text = visible(raw);
    const marker = Math.max(0, text.search(/[^0-9]/));
    return text.replace(/[-+=.:\\`*_{}[\]()<>#!|~&@$^"']/g, (c, at) => {
      const special = "-+=".includes(c)
        ? at === 0
        : c === "."
          ? at === marker || /www$/i.test(text.slice(Math.max(0, at - 3), at))
          : c === ":"
            ? /^\S/.test(text.slice(at + 1))
            : true;
      return special ? `\\${c}` : c;
    });
  }

  const markdownAddress = (address) =>
    address
      .replace(/[\s\u0000-\u001f\u007f-\u009f()<>\\"'`*[\]|]/gu, percent)
      .replaceAll("&", "&amp;")
      .replaceAll("_", "\\_");

  const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const html = (text) => visible(text).replace(/[&<>"']/g, (c) => ENTITIES[c]);
  const asciidoc = (text) => text.replace(/[!-\-:-@[-`{-~]/g, (c) => `&#${c.charCodeAt(0)};`);
  const asciidocAddress = (address) => address.replace(/["'`*_#^[\]{}<>|,+ ]/g, percent);

  /** Markup to embed a badge. `alternative` must be a single line. */
  function snippet(markup, alternative, image, link) {
    const all = [...alternative];
    const text = all.length > 80 ? `${all.slice(0, 80).join("").trimEnd()}…` : alternative.trimEnd();
    switch (markup) {
      case "markdown":
        return `[![${markdown(text)}](${markdownAddress(image)})](${markdownAddress(link)})\n`;
      case "rst":
        return `.. image:: ${image}\n   :alt: ${text}\n   :target: ${link}\n`;
      case "asciidoc":
        return `image:${asciidocAddress(image)}["${asciidoc(text)}",link="${asciidocAddress(link)}"]\n`;
      case "html":
        return `<a href="${html(link)}"><img src="${html(image)}" alt="${html(text)}" height="20"></a>\n`;
      default:
        return `${image}\n`;
    }
  }

  /** A button that copies text and confirms it. */
  function copier(name, text) {
    const status = make("span", { role: "status", class: "copied" });
    async function copy() {
      const copied = text();
      status.textContent = "";
      try {
        await navigator.clipboard.writeText(copied);
        status.textContent = "Copied";
      } catch {
        status.textContent = copyOldWay(copied) ? "Copied" : "Your browser does not allow this page to copy";
      }
    }
    return make("span", { class: "copier" }, make("button", { type: "button", click: copy }, name), status);
  }

  // The Clipboard API requires https or localhost.
  function copyOldWay(text) {
    const focused = document.activeElement;
    const field = make("textarea", { class: "vh", "aria-hidden": "true", tabindex: "-1" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus();
    return done;
  }

  // `form[data-filter=ID]`: shows the `[data-q]` elements below #ID that match all fields.
  const MOST_UNFOLDED = 60;
  function filter(form) {
    const list = document.getElementById(form.dataset.filter);
    if (!list) return;
    const items = [...list.querySelectorAll("[data-q]")];
    const groups = [...list.querySelectorAll("section, tbody, details")]
      .map((group) => ({
        group,
        own: items.filter((item) => group.contains(item)),
        counts: group.querySelector("summary .tally"),
      }))
      .filter(({ own }) => own.length > 0);
    for (const one of groups) one.text = one.counts?.textContent;
    const size = (some) => some.reduce((sum, item) => sum + Number(item.dataset.n ?? 1), 0);
    const total = size(items);
    const fields = [...form.elements].filter((field) => field.name);
    const output = form.querySelector("output");
    const value = (field) => (field.type === "checkbox" && !field.checked ? "" : field.value.trim());
    const rule = (item) => item.closest("details")?.dataset.rule ?? "";
    // Search text of an item: `data-q`, or the rule and all of its text.
    const words = new Map(
      items.map((item) => [item, item.dataset.q || `${rule(item)} ${item.textContent}`.toLowerCase()]),
    );
    /** Bits of the option with this text, or else of all options that contain it. */
    const bits = (list, text) => {
      const names = [...list.options].map((option) => option.value.toLowerCase());
      const wanted = text.toLowerCase();
      const fits = (name) => (names.includes(wanted) ? name === wanted : name.includes(wanted));
      return names.reduce((sum, name, at) => (fits(name) ? sum | (1n << BigInt(at)) : sum), 0n);
    };
    const fits = (item, field) => {
      const wanted = value(field);
      if (!wanted) return true;
      if (field.name === "q") {
        return wanted
          .toLowerCase()
          .split(/\s+/)
          .every((word) => words.get(item).includes(word));
      }
      const has = item.dataset[field.name] ?? rule(item);
      if (field.list) return (BigInt(`0x${has}`) & options.get(field)) !== 0n;
      return has.split(" ").includes(wanted);
    };
    let options;
    function apply() {
      options = new Map(fields.filter(({ list }) => list).map((field) => [field, bits(field.list, value(field))]));
      for (const item of items) item.hidden = !fields.every((field) => fits(item, field));
      const shown = size(items.filter((item) => !item.hidden));
      const isAsked = fields.some((field) => value(field));
      const left = groups.filter(({ own }) => own.some((item) => !item.hidden));
      for (const { group, own, counts, text } of groups) {
        const fitting = size(own.filter((item) => !item.hidden));
        group.hidden = fitting === 0;
        if (counts) counts.textContent = isAsked ? `${fitting} of ${size(own)}` : text;
        // Open groups with matches unless there are too many to read.
        if (group.tagName === "DETAILS" && isAsked)
          group.open = fitting > 0 && (left.length === 1 || shown <= MOST_UNFOLDED);
      }
      if (output) {
        output.textContent =
          shown === total
            ? `All ${shown} shown`
            : shown === 0
              ? `Nothing fits, ${total} hidden`
              : `${shown} of ${total} shown`;
      }
    }
    for (const field of fields) {
      const was = kept(field.name);
      if (field.type === "checkbox") field.checked = was !== "" && was === field.value;
      else if (was && (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === was))) {
        field.value = was;
      }
    }
    form.addEventListener("input", () => {
      apply();
      keep(Object.fromEntries(fields.map((field) => [field.name, value(field)])));
    });
    form.addEventListener("reset", () => setTimeout(() => form.dispatchEvent(new Event("input"))));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    apply();
  }

  // Open the collapsed section of the URL fragment, because some browsers do not.
  function unfold() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.closest("details:not([open])")) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  // `pre[data-copy]`: adds a copy button. With `data-absolute`, URLs in the Markdown become absolute.
  function copyable(pre) {
    if ("absolute" in pre.dataset) {
      const whole = (_, folder) => `](${markdownAddress(root)}${folder}/`;
      pre.textContent = pre.textContent.replace(/\]\((badges|implementations)\//g, whole);
    }
    pre.after(copier("Copy", () => pre.textContent));
  }

  /** Rows of a table section, without headings. */
  const rowsOf = (body) => [...body.rows].filter((row) => row.querySelector("td"));

  // `table[data-differences]`: allows collapsing rows with `data-same`; "on" collapses them initially.
  function differences(table) {
    const rows = [...table.querySelectorAll("tr[data-same]")];
    if (rows.length === 0) return;
    const isOn = table.dataset.differences === "on";
    const box = make("input", { type: "checkbox", id: `differences-${tables++}` });
    const was = kept("differences");
    box.checked = was === "" ? isOn : was === "only";
    function apply() {
      for (const row of rows) row.hidden = box.checked;
      for (const body of table.tBodies) {
        const own = rowsOf(body);
        body.hidden = own.length > 0 && own.every((row) => row.hidden);
      }
    }
    box.addEventListener("change", () => {
      apply();
      keep({ differences: box.checked === isOn ? "" : box.checked ? "only" : "all" });
    });
    const label = make(
      "label",
      { class: "fold", for: box.id },
      box,
      ` Only differences (${counted(rows.length, "row")} ${rows.length === 1 ? "is" : "are"} the same in all columns)`,
    );
    (table.closest(".shaded") ?? table.closest(".scroll") ?? table).before(label);
    apply();
  }
  let tables = 0;

  /** Compares cells such as `5/6` by the first number, then by share. Other cells are last in both directions. */
  function byShare(a, b, isDown) {
    const [one, other] = [a, b].map((cell) => /^(\d+)\/(\d+)$/.exec(cell.textContent.trim()));
    if (!one || !other) return Number(!one) - Number(!other);
    const ascending = one[1] - other[1] || other[2] - one[2];
    return isDown ? -ascending : ascending;
  }

  // `table[data-sort=flat]`: when sorted by number, groups are merged into one list and names are prefixed with
  // their group.
  function flattened(table) {
    const homes = [...table.tBodies].map((body) => [body, rowsOf(body)]);
    const whole = make("tbody");
    table.append(whole);
    const groups = homes.flatMap(([body, rows]) => {
      const group = body.querySelector(".g")?.textContent.trim() ?? "";
      const links = rows.map((row) => row.querySelector("th a"));
      const unnamed = links.filter((link) => link && !link.textContent.startsWith(group));
      return unnamed.map((link) => [link, make("span", { class: "of" }, `${group} `)]);
    });
    return (isFlat) => {
      table.classList.toggle("flat", isFlat);
      for (const [body, rows] of homes) (isFlat ? whole : body).append(...rows);
      for (const [link, group] of groups) isFlat ? link.before(group) : group.remove();
    };
  }

  // Home page: a click on a row opens its details.
  function opening(table) {
    table.addEventListener("click", ({ target }) => {
      const fold = target.closest("tr:not(.more)")?.querySelector("details");
      if (fold && !target.closest("a, summary, button")) fold.open = !fold.open;
    });
  }

  // `table[data-sort]`: column heads become sort buttons. With `data-sort=bodies`, each section is sorted as one row.
  function sortable(table) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    const order = new Intl.Collator("en", { numeric: true });
    const value = (row, column) => {
      const cell = row.cells[column];
      return cell?.dataset.v ?? cell?.textContent.trim() ?? "";
    };
    const flat = table.dataset.sort === "flat" ? flattened(table) : null;
    function sort(column, isDown) {
      flat?.(column > 0);
      const shares = flat && column > 0;
      if (table.dataset.sort === "bodies") {
        const first = (body) => value(body.rows[0], column);
        const bodies = [...table.tBodies].sort((a, b) => order.compare(first(a), first(b)));
        table.append(...(isDown ? bodies.reverse() : bodies));
      } else
        for (const body of table.tBodies) {
          const rows = rowsOf(body);
          const compare = (a, b) => order.compare(value(a, column), value(b, column));
          if (shares) rows.sort((a, b) => byShare(a.cells[column], b.cells[column], isDown));
          else rows.sort((a, b) => (isDown ? compare(b, a) : compare(a, b)));
          body.append(...rows);
        }
      heads.forEach((head, at) => {
        if (at === column) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
    }
    heads.forEach((head, column) => {
      const name = head.textContent.trim();
      if (!name || head.colSpan > 1 || "nosort" in head.dataset) return;
      const click = () => {
        const was = head.getAttribute("aria-sort");
        const isDown = flat && column > 0 ? was !== "descending" : was === "ascending";
        sort(column, isDown);
        keep({ sort: `${isDown ? "-" : ""}${column + 1}` });
      };
      head.replaceChildren(make("button", { type: "button", class: "sorter", click }, ...head.childNodes));
    });
    const was = /^(-?)([1-9]\d?)$/.exec(kept("sort"));
    if (was && heads[was[2] - 1]?.querySelector("button")) sort(was[2] - 1, was[1] === "-");
  }

  async function part(source) {
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const data = await answer.json();
    if (data.version !== 1) throw new Error("unsupported data format");
    return data;
  }

  /**
   * Loads the data files listed in `source`, shows progress and errors in `place`, and calls `use` with the merged
   * data and its parts.
   */
  async function load(source, place, use) {
    const say = (...inside) => place.replaceChildren(make("p", { role: "status" }, ...inside));
    if (location.protocol === "file:") {
      say(
        "This page was opened as a file, and browsers do not let files read other files. Serve the site with a web server, such as ",
        make("code", {}, "python3 -m http.server"),
        ", and open it there.",
      );
      return;
    }
    say("Loading reports …");
    let data;
    let parts;
    try {
      parts = await Promise.all(source.split(" ").map(part));
      data = { ...parts[0], reports: parts.flatMap((one) => one.reports) };
    } catch (error) {
      const again = () => load(source, place, use);
      say(
        "The data of this site could not be read: ",
        make("span", { class: "bad" }, error.message),
        ". ",
        make("button", { type: "button", click: again }, "Try again"),
      );
      return;
    }
    use(data, parts);
  }

  /** Maps feature indexes to states in each profile, for `state(profile, feature)`. */
  function reports(data) {
    for (const report of data.reports) {
      for (const profile of report.profiles) {
        profile.byFeature = new Map();
        for (const [state, features] of Object.entries(profile.states)) {
          for (const feature of features) profile.byFeature.set(feature, state);
        }
      }
    }
    return data.reports;
  }

  const state = (profile, feature) => profile.byFeature.get(feature) ?? profile.others;

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

  /**
   * Returns a function that explains why no profile of a report has a feature, and whether its release has the
   * feature. A family limits both to its profiles.
   */
  function absences(data, marks) {
    const texts = new Map();
    for (const [name, { absent }] of Object.entries(data.releases)) {
      const ofRelease = new Map();
      for (const [text, places] of Object.entries(absent)) for (const place of places) ofRelease.set(place, text);
      texts.set(name, ofRelease);
    }
    return (report, place, family) => {
      if (!texts.has(report.release)) return null;
      if (data.features[place].since === null) return { text: marks.never, isOfRelease: false };
      const known = texts.get(report.release).get(place);
      if (known) return { text: known, isOfRelease: false };
      const all = data.releases[report.release].profiles;
      const own = all.filter((one) => one.feature_indexes.includes(place) && (!family || one.family === family));
      const profiles = own.map((one) => one.profile).join(" or ");
      const text = profiles
        ? fill(marks.not_reported, { profiles })
        : fill(marks.not_in_family, { family, release: report.minor });
      return { text, isOfRelease: own.length > 0 };
    };
  }

  // Implementations or reports selected for comparison, by URL slug.
  const MOST_COMPARED = 12;
  const compared = new Set();
  const comparedBoxes = () => [...document.querySelectorAll(".pick input")];
  let bar = null;

  function showCompared() {
    const isFull = compared.size >= MOST_COMPARED;
    for (const box of comparedBoxes()) {
      box.checked = compared.has(box.value);
      box.disabled = isFull && !box.checked;
    }
    if (!bar) {
      const clear = () => {
        const first = comparedBoxes().find((box) => box.checked);
        compared.clear();
        showCompared();
        first?.focus();
      };
      bar = make(
        "div",
        { class: "compare-bar" },
        make("span", { role: "status" }),
        make("a", {}, "Compare"),
        make("button", { type: "button", click: clear }, "Clear"),
      );
      document.querySelector("main").append(bar);
    }
    const [status, link] = bar.children;
    const query = [...compared].map((one) => `i=${encodeURIComponent(one).replaceAll("%2F", "/")}`).join("&");
    const more = compared.size === 1 ? "; choose another" : isFull ? ", which is the most" : "";
    status.textContent = compared.size ? `${compared.size} chosen${more}` : "";
    link.href = `${root}compare/?${query}`;
    link.hidden = compared.size < 2;
    bar.hidden = compared.size === 0;
    keep({ i: [...compared] });
  }

  /** A checkbox that selects an item for comparison; `name` is for screen readers. */
  function comparedBox(value, name) {
    const change = (event) => {
      if (event.target.checked) compared.add(value);
      else compared.delete(value);
      showCompared();
    };
    const box = make("input", { type: "checkbox", value, change });
    box.checked = compared.has(value);
    box.disabled = compared.size >= MOST_COMPARED && !box.checked;
    return make("label", { class: "pick" }, box, " compare", make("span", { class: "vh" }, ` ${name}`));
  }

  /** Selects the items listed in the URL, if they are known. */
  function keepCompared(isKnown) {
    const asked = new URLSearchParams(location.search).getAll("i").filter(isKnown);
    for (const one of asked.slice(0, MOST_COMPARED)) compared.add(one);
    if (asked.length) showCompared();
  }

  // `[data-compare=SLUG]` gets a comparison checkbox.
  function comparable(places) {
    if (places.length < 2) return;
    for (const place of places) {
      const name = place.dataset.name ?? place.closest("tbody").querySelector("th").textContent;
      place.append(comparedBox(place.dataset.compare, name));
    }
    keepCompared((one) => places.some((place) => place.dataset.compare === one));
  }

  /** Symbol of a state or verdict, hidden from screen readers because text follows. */
  const glyph = ([name, sign]) => make("span", { class: `glyph ${name}`, "aria-hidden": "true" }, sign);

  // For `file:` URLs, add index.html to links, because folders are not resolved to pages.
  function openedAsFile() {
    for (const link of document.querySelectorAll("a[href]")) {
      const address = new URL(link.href);
      if (address.protocol === "file:" && address.pathname.endsWith("/")) {
        address.pathname += "index.html";
        link.href = address.href;
      }
    }
    for (const form of document.querySelectorAll("form[action]")) form.action += "index.html";
  }

  // `form.lookup`: the search box of the header. `/` moves the focus there, and the focus loads its scripts.
  function lookup(form) {
    const input = form.querySelector("input");
    async function start() {
      // The page of an answer has them already.
      if (gwconform.search) return;
      try {
        for (const src of form.dataset.scripts.split(" ")) {
          await new Promise((load, error) => document.head.append(make("script", { src, load, error })));
        }
      } catch {
        form.append(
          make("p", { class: "popup", role: "status" }, "The search index could not be loaded. Reload the page."),
        );
      }
    }
    input.addEventListener("focus", start, { once: true });
    addEventListener("keydown", (event) => {
      const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
      input.select();
    });
    form.hidden = false;
  }

  document.querySelectorAll("form.lookup").forEach(lookup);
  document.querySelectorAll("form[data-filter]").forEach(filter);
  document.querySelectorAll("pre[data-copy]").forEach(copyable);
  document.querySelectorAll("table[data-differences]").forEach(differences);
  document.querySelectorAll("table[data-sort]").forEach(sortable);
  document.querySelectorAll("table.field").forEach(opening);
  comparable([...document.querySelectorAll("[data-compare]")]);
  unfold();
  addEventListener("hashchange", unfold);
  // The style hides notes that are for pages without scripts. From here on, scripts show and hide them.
  for (const note of document.querySelectorAll("[data-without-script]")) {
    note.hidden = true;
    note.removeAttribute("data-without-script");
  }
  for (const one of document.querySelectorAll("[data-with-script]")) one.hidden = false;
  if (location.protocol === "file:") openedAsFile();

  return {
    root,
    make,
    prose,
    counted,
    keep,
    kept,
    visible,
    markdown,
    markdownAddress,
    snippet,
    copier,
    differences,
    load,
    reports,
    state,
    absences,
    comparedBox,
    fill,
    keepCompared,
    glyph,
  };
})();
