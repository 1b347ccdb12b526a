// Search box in the header. page.js loads the index (`gwconform.index`) and this script when the box gets the focus.
// Node runs the first part in tests.

(() => {
  const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lo}\p{Lt}\p{Lm}]+|\p{N}+/gu;
  const ORDER = ["exact", "prefix", "word", "stem", "synonym", "note", "typo"];
  const [EXACT, PREFIX, WORD, STEM, SYNONYM, NOTE, TYPO] = ORDER.keys();
  const MOST_OF_ONE = 12;
  const MOST_OF_MANY = 6;
  const MOST_LETTERS = 60;

  /** Letters and digits of a text, and where its words start: `HTTPRouteCORS` has three words. */
  function read(text) {
    const starts = [];
    let letters = "";
    for (const part of text.match(PARTS) ?? []) {
      starts.push(letters.length);
      letters += part.toLowerCase();
    }
    return { letters, starts };
  }

  const hasWord = ({ letters, starts }, word) => starts.some((at) => letters.startsWith(word, at));

  /** Start of a word that its other forms share: retries and retry, splitting and split. */
  function stem(word) {
    const start = word.replace(/(ies|ing|ed|es|s|y|e)$/, "").replace(/([bdgmnprt])\1$/, "$1");
    return start.length > 3 ? start : word;
  }

  /** Whether one inserted, missing, wrong, or swapped letter turns `a` into `b`. */
  function isNear(a, b) {
    if (Math.abs(a.length - b.length) > 1) return false;
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    const rest = (one, skipped) => one.slice(at + skipped);
    return (
      rest(a, 1) === rest(b, 1) ||
      rest(a, 1) === rest(b, 0) ||
      rest(a, 0) === rest(b, 1) ||
      (a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, 2) === rest(b, 2))
    );
  }

  /** Whether a word with one typing error starts at a word of the text. Three letters must be the whole word. */
  function hasNear({ letters, starts }, word) {
    if (word.length < 3) return false;
    return starts.some((at, nth) => {
      const end = starts[nth + 1] ?? letters.length;
      if (word.length === 3) return end - at === 3 && isNear(word, letters.slice(at, end));
      return [-1, 0, 1].some((more) => isNear(word, letters.slice(at, at + word.length + more)));
    });
  }

  const split = (list) => (list ? list.split("|") : []);

  /** Returns a function that finds the entries of the index for a query. */
  function search(index) {
    const entries = index.kinds.flatMap(({ kind, entries }, of) =>
      entries.map(([name, page, note, names, words], nth) => ({
        kind,
        of,
        nth,
        name,
        page,
        note,
        names: [name, ...split(names)].map(read),
        // `canary~1`: the entry is the second of those that the word means.
        words: split(words).map((word) => ({ ...read(word.split("~")[0]), rank: Number(word.split("~")[1] ?? 0) })),
        noted: read(note ?? ""),
      })),
    );
    const beyond = index.beyond.map(({ title, text, words, annotations }) => ({
      title,
      text,
      words: [title, ...words].map(read),
      annotations: annotations.map(read),
    }));

    function tier(entry, all, words) {
      if (entry.names.some(({ letters }) => letters === all)) return EXACT;
      if (entry.names.some(({ letters }) => letters.startsWith(all))) return PREFIX;
      if (entry.words.some(({ letters }) => letters === all)) return WORD;
      const tierOf = (word) => {
        if (entry.names.some((one) => hasWord(one, word))) return WORD;
        if (entry.names.some((one) => hasWord(one, stem(word)))) return STEM;
        if (entry.words.some((one) => hasWord(one, word) || hasWord(one, stem(word)))) return SYNONYM;
        return hasWord(entry.noted, word) ? NOTE : null;
      };
      const tiers = words.map(tierOf);
      return tiers.includes(null) ? null : Math.max(...tiers);
    }

    function typo(entry, words) {
      const texts = [...entry.names, ...entry.words];
      const fits = (word) => texts.some((one) => hasWord(one, word) || hasNear(one, word));
      return words.every(fits) ? TYPO : null;
    }

    const rated = (rate) => {
      const all = entries.map((entry) => ({ ...entry, tier: rate(entry) }));
      return all.filter((entry) => entry.tier !== null);
    };

    return (query) => {
      const text = query.slice(0, MOST_LETTERS);
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const all = read(text).letters;
      if (words.length === 0) return { groups: [], beyond: [], count: 0 };
      const found = rated((entry) => tier(entry, all, words));
      // The answer to "rate limiting" is that to "rate limits".
      const last = words.at(-1);
      const start = words.slice(0, -1).join("") + stem(last);
      const isBeyond = ({ letters }) => letters === all || (all.length > 3 && letters.startsWith(start));
      const isAnnotation = ({ letters }) => letters === all;
      let outside = beyond.filter((one) => one.words.some(isBeyond) || one.annotations.some(isAnnotation));
      if (outside.length === 0 && found.every((entry) => entry.tier >= NOTE)) {
        const seen = new Set(found.map(({ of, nth }) => `${of} ${nth}`));
        found.push(...rated((entry) => (seen.has(`${entry.of} ${entry.nth}`) ? null : typo(entry, words))));
        if (all.length > 4) outside = beyond.filter((one) => one.words.some(({ letters }) => isNear(all, letters)));
      }
      const rank = ({ words }) => words.find(({ letters }) => letters === all)?.rank ?? 0;
      // Another form of the word in a feature is more likely than the same word in a proposal.
      const coarse = (one) => (one.tier === STEM ? WORD : one.tier);
      found.sort(
        (a, b) => coarse(a) - coarse(b) || a.of - b.of || a.tier - b.tier || rank(a) - rank(b) || a.nth - b.nth,
      );
      const kinds = [...new Set(found.map(({ kind }) => kind))];
      const most = kinds.length === 1 ? MOST_OF_ONE : MOST_OF_MANY;
      const groups = kinds.map((kind) => {
        const own = found.filter((entry) => entry.kind === kind);
        return { kind, entries: own.slice(0, most), more: Math.max(0, own.length - most) };
      });
      return { groups, beyond: outside.map(({ title, text }) => ({ title, text })), count: found.length };
    };
  }

  gwconform.search = search;
  if (typeof document === "undefined") return;

  const { make, counted, root } = gwconform;
  const find = search(gwconform.index);
  const form = document.querySelector("form.lookup");
  const input = form.querySelector("input");
  const status = make("p", { class: "vh", role: "status" });
  const list = make("div", { role: "listbox", id: "search-results", "aria-label": "Search results" });
  const answers = make("div", { class: "answers" });
  const popup = make("div", { class: "popup", hidden: true }, answers, list);
  form.append(popup, status);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "search-results",
    "aria-expanded": "false",
  }))
    input.setAttribute(name, value);

  let active = null;
  const options = () => [...list.querySelectorAll("[role=option]")];

  function address(page) {
    const url = new URL(page, root);
    if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
  }

  function activate(option) {
    active?.setAttribute("aria-selected", "false");
    active = option ?? null;
    if (!active) return input.removeAttribute("aria-activedescendant");
    active.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", active.id);
    active.scrollIntoView({ block: "nearest" });
  }

  function show(isOpen) {
    popup.hidden = !isOpen;
    list.hidden = list.children.length === 0;
    input.setAttribute("aria-expanded", String(isOpen && !list.hidden));
    if (!isOpen) activate(null);
  }

  function option({ name, page, note }, id) {
    const parts = [make("b", {}, name), note ? make("small", {}, note) : null];
    return make("a", { role: "option", id, href: address(page), tabindex: "-1", "aria-selected": "false" }, parts);
  }

  function group({ kind, entries, more }, at) {
    const title = make(
      "div",
      { class: "kind", id: `search-results-${at}` },
      kind,
      more ? make("small", {}, `${more} more`) : null,
    );
    const own = entries.map((entry, nth) => option(entry, `search-results-${at}-${nth}`));
    return make("div", { role: "group", "aria-labelledby": title.id }, title, own);
  }

  function update() {
    const query = input.value.trim();
    const found = find(query);
    active = null;
    list.replaceChildren(...found.groups.map(group));
    const outside = found.beyond.map(({ title, text }) => make("p", {}, make("b", {}, title), ": ", text));
    const none =
      found.count + outside.length === 0 && query
        ? [make("p", {}, "Nothing matches. Implementations without a report are not listed. Browse ", indexes(), ".")]
        : [];
    answers.replaceChildren(...outside, ...none);
    // An answer that only starts like the query is less likely than an entry with that name.
    popup.classList.toggle("answers-last", found.groups[0]?.entries[0].tier <= PREFIX);
    status.textContent = query
      ? [answers.textContent, counted(found.count, "result")].filter((one) => one).join(" ")
      : "";
    show(query !== "");
    activate(options()[0]);
  }

  const indexes = () =>
    [
      ["implementations/", "implementations"],
      ["features/", "features"],
      ["tests/", "tests"],
    ].flatMap(([page, name], at) => [at ? ", " : "", make("a", { href: address(page) }, name)]);

  function press(event) {
    if (event.isComposing) return;
    const all = options();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && popup.hidden) update();
    else if (step && all.length) activate(all.at((all.indexOf(active) + step) % all.length));
    else if (event.key === "Escape" && !popup.hidden) show(false);
    else return;
    event.preventDefault();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (popup.hidden) update();
    active?.click();
  });
  input.addEventListener("input", update);
  input.addEventListener("keydown", press);
  input.addEventListener("focus", () => input.value.trim() && update());
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) show(false);
  });
  // Keep the focus in the field while an option is clicked.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  if (form.contains(document.activeElement)) update();
})();
