// Search box in the header. page.js loads the index (`gwconform.index`) and this script when the box gets the focus.
// Node runs the first part in tests.

(() => {
  const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lo}\p{Lt}\p{Lm}]+|\p{N}+/gu;
  const ORDER = ["exact", "phrase", "prefix", "word", "stem", "synonym", "note", "typo"];
  const [EXACT, PHRASE, PREFIX, WORD, STEM, SYNONYM, NOTE, TYPO] = ORDER.keys();
  const MOST_OF_ONE = 12;
  const MOST_OF_MANY = 6;
  const MOST_LETTERS = 80;
  const MOST_GUESSES = 6;

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

  /** Whether a word of the text starts with `word`. A digit must be the whole number. */
  const hasWord = ({ letters, starts }, word) =>
    starts.some(
      (at, nth) =>
        letters.startsWith(word, at) && (!/^\d$/.test(word) || (starts[nth + 1] ?? letters.length) === at + 1),
    );

  /** Start of a word that its other forms share: retries and retry, splitting and split. */
  function stem(word) {
    const start = word.replace(/(ies|ing|ed|es|s|y|e)$/, "").replace(/([bdgmnprt])\1$/, "$1");
    return start.length > 3 ? start : word;
  }

  const isSame = (a, b) => a === b || stem(a) === stem(b);

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

  /**
   * Whether a word with one typing error starts at a word of the text. Three letters must be the whole word, and
   * numbers have no errors.
   */
  function hasNear({ letters, starts }, word) {
    if (word.length < 3 || /\d/.test(word)) return false;
    return starts.some((at, nth) => {
      const end = starts[nth + 1] ?? letters.length;
      if (word.length === 3) return end - at === 3 && isNear(word, letters.slice(at, end));
      return [-1, 0, 1].some((more) => isNear(word, letters.slice(at, at + word.length + more)));
    });
  }

  const split = (list) => (list ? list.split("|") : []);

  // Words of questions that carry no subject, and nouns that many products and readers use.
  const GRAMMAR = new Set(
    "a all also an and any are at be between by called can compare compared could definition do does for from has have how i if in into is it me mean meaning means my no not of on or should that the their there to using versus via vs was what when where which who whose why will with without you".split(
      " ",
    ),
  );
  const VERBS = new Set(
    "able allow allows available enable enabled handle handles implement implemented implements need offer offers provide provides support supported supporting supports use uses work works".split(
      " ",
    ),
  );
  const NOUNS = new Set(
    "api application balancer cloud cluster container containers controller enterprise fabric feature features gateway gateways group implementation implementations ingress k8s kubernetes load mesh meshes networking operator platform product products provider proxies proxy service services software".split(
      " ",
    ),
  );
  const MOST_OF_NAME = 6;

  /** The words without those of a set, unless no other word is left. */
  function without(set, words) {
    const left = words.filter((word) => !set.has(word));
    return left.length ? left : words;
  }
  const subjects = (words) => without(VERBS, without(GRAMMAR, words));

  /** Returns a function that answers a query from the index. */
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
    const ofKind = (kind) => entries.filter((entry) => entry.kind === kind);
    const [products, features] = [ofKind("Implementations"), ofKind("Features")];
    const beyond = index.beyond.map(({ title, text, words, annotations }) => ({
      title,
      text,
      words: [title, ...words].map(read),
      annotations: annotations.map(read),
    }));
    const notes = new Map(
      index.notes.flatMap((one) => [one.title, ...one.words].map((word) => [read(word).letters, one])),
    );

    /** Products by each run of words in their names. Names of nouns only, such as `gateway`, are not listed. */
    const named = new Map();
    for (const product of products) {
      for (const { letters, starts } of product.names) {
        const ends = [...starts.slice(1), letters.length];
        starts.forEach((start, from) => {
          for (const [to, end] of ends.entries()) {
            if (to < from || to - from >= MOST_OF_NAME) continue;
            const isWhole = end - start === letters.length;
            const parts = starts.slice(from, to + 1).map((at, nth) => letters.slice(at, ends[from + nth]));
            if (end - start < 3 - isWhole || parts.every((part) => NOUNS.has(part) || GRAMMAR.has(part))) continue;
            const run = letters.slice(start, end);
            const known = named.get(run) ?? new Map();
            known.set(product, isWhole || (known.get(product) ?? false));
            named.set(run, known);
          }
        });
      }
    }

    const slug = ({ page }) => page.split("/").slice(1, 3).join("/");
    const isCurrent = ({ nth }) => nth < index.current;

    /** Products that words name: those with this whole name, or those of one organization with it in their names. */
    function productsOf(letters) {
      const known = named.get(letters);
      if (!known) return [];
      const whole = [...known].filter(([, isWhole]) => isWhole).map(([product]) => product);
      const all = whole.length ? whole : [...known.keys()];
      const organizations = new Set(all.map((product) => slug(product).split("/")[0]));
      if (whole.length === 0 && organizations.size > 1) return [];
      return all.some(isCurrent) ? all.filter(isCurrent) : all.slice(0, 1);
    }

    /** Products and notes that a query names, and the other words. Longer names come first. */
    function readNames(words) {
      const found = { products: [], notes: [], others: [] };
      for (let at = 0; at < words.length; ) {
        let size = Math.min(MOST_OF_NAME, words.length - at);
        for (; size > 0; size -= 1) {
          const letters = words.slice(at, at + size).join("");
          const own = productsOf(letters);
          if (own.length) found.products.push(own);
          else if (notes.has(letters)) found.notes.push(notes.get(letters));
          else continue;
          break;
        }
        if (size === 0) found.others.push(words[at]);
        at += Math.max(1, size);
      }
      return found;
    }

    /** `all` are the letters of the query, first as it is, then without its small words. */
    function tier(entry, all, words) {
      if (entry.names.some(({ letters }) => all.includes(letters))) return EXACT;
      if (entry.words.some(({ letters }) => isSame(letters, all[0]))) return PHRASE;
      if (entry.names.some(({ letters }) => all.some((one) => letters.startsWith(one)))) return PREFIX;
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

    /** Entries with a tier, best first. */
    function ranked(some, all, rate) {
      const rated = some.map((entry) => ({ ...entry, tier: rate(entry) })).filter((entry) => entry.tier !== null);
      const rank = ({ words }) => words.find(({ letters }) => all.length && isSame(letters, all[0]))?.rank ?? 0;
      // Another form or word for a feature is more likely than the same word in a test or proposal.
      const coarse = (one) => (one.tier === STEM || one.tier === SYNONYM ? WORD : one.tier);
      return rated.sort(
        (a, b) => coarse(a) - coarse(b) || a.of - b.of || rank(a) - rank(b) || a.tier - b.tier || a.nth - b.nth,
      );
    }

    function matching(some, words, spelled = words) {
      if (words.length === 0) return [];
      const all = [spelled, without(NOUNS, words)].map((one) => one.join(""));
      return ranked(some, all, (entry) => tier(entry, all, words));
    }

    const featureOf = (words) => matching(features, words).find((entry) => entry.tier <= SYNONYM);

    /** The features that words mean, such as `cors` and `retry`. Empty if a word belongs to none. */
    function featuresOf(words) {
      const whole = featureOf(words) ?? featureOf(without(NOUNS, words));
      if (whole) return [whole];
      for (let at = words.length - 1; at > 0; at -= 1) {
        const first = featureOf(words.slice(0, at));
        const rest = first ? featuresOf(words.slice(at)) : [];
        if (rest.length) return [first, ...rest.filter(({ name }) => name !== first.name)];
      }
      return [];
    }

    /** Behavior without a feature. The answer to "rate limiting" is that to "rate limits". */
    function outside(words, isMeant) {
      const all = words.join("");
      const start = words.slice(0, -1).join("") + stem(words.at(-1) ?? "");
      const has = (one) => isMeant(one.letters, all, start);
      return beyond.filter((one) => one.words.some(has) || one.annotations.some(({ letters }) => letters === all));
    }
    const startsSame = (letters, all, start) => all.length > 3 && letters.startsWith(start);
    const isAlmost = (letters, all) => all.length > 4 && isNear(all, letters);

    const links = (all) => all.map(({ name, page }) => ({ name, page }));
    const bySlug = (slugs) => products.filter((product) => slugs.includes(slug(product)));

    /** Answers about numbers of proposals and releases that the index does not have. */
    function unknownNumber(text) {
      const [, proposal] = /\bgep[- ]?(\d+)\b/i.exec(text) ?? [];
      const [, release] = /\bv(\d+\.\d+(?:\.\d+)?)\b/i.exec(text) ?? [];
      if (proposal) {
        const page = "https://gateway-api.sigs.k8s.io/geps/overview/";
        const text = "No feature or test on this site belongs to a proposal with this number.";
        return [{ title: `GEP-${proposal}`, text, links: [{ name: "All proposals", page }] }];
      }
      if (!release) return [];
      const newest = index.newest ? ` The newest release it knows is ${index.newest}.` : "";
      return [
        { title: `Gateway API v${release}`, text: `This site has no report for this release.${newest}`, links: [] },
      ];
    }

    /** Guesses for words without a match: entries, behavior, and the query with a name that is spelled similarly. */
    function guess(words) {
      const spelled = words.map((word) => {
        const isKnown = word.length < 4 || /\d/.test(word) || matching(entries, [word])[0]?.tier < NOTE;
        return isKnown ? word : ([...named.keys()].find((name) => isNear(word, name)) ?? word);
      });
      const query = spelled.join(" ");
      const again =
        query === words.join(" ") || words.length < 2 ? [] : [{ name: query, page: answerPage(query), note: "" }];
      const behavior = outside(words, isAlmost).map(({ title, text }) => ({
        name: title,
        page: answerPage(title),
        note: text,
      }));
      return [...again, ...behavior, ...ranked(entries, [], (entry) => typo(entry, words))].slice(0, MOST_GUESSES);
    }

    function grouped(found) {
      const kinds = [...new Set(found.map(({ kind }) => kind))];
      const most = kinds.length === 1 ? MOST_OF_ONE : MOST_OF_MANY;
      return kinds.map((kind) => {
        const own = found.filter((entry) => entry.kind === kind);
        return { kind, entries: own.slice(0, most), more: Math.max(0, own.length - most) };
      });
    }

    /**
     * Answers, entries by kind, words without an entry, and guesses if there is nothing else. An answer is a `note`, a
     * `pair` of products and features, or `versus`, products to compare.
     */
    return (query) => {
      const text = query.slice(0, MOST_LETTERS).replace(/(^|\s)(?=\d+\.\d)/g, "$1v");
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return { answers: [], groups: [], guesses: [], unknown: "", count: 0 };
      const asked = subjects(words);
      const names = readNames(words);
      const isNamed = names.products.length + names.notes.length > 0;
      const others = names.others.filter((word) => !GRAMMAR.has(word) && !VERBS.has(word));
      const rest = isNamed ? others.filter((word) => !NOUNS.has(word)) : asked;
      const whole = matching(entries, asked, words);
      const best = whole[0]?.tier ?? TYPO;

      let behavior = outside(isNamed ? others : asked, isSame);
      const wanted = behavior.length || (best <= PHRASE && !isNamed) ? [] : featuresOf(rest);
      if (behavior.length + wanted.length === 0 && best > PREFIX)
        behavior = outside(isNamed ? rest : asked, startsSame);

      // Of several names each means one product, of one name all of its products are shown.
      const several = names.products.length > 1;
      const chosen = [...new Set(names.products.flatMap((own) => (several ? own.slice(0, 1) : own)))];
      const answers = names.notes.map(({ implementations, source, ...one }) => ({
        kind: "note",
        ...one,
        links: [...links(bySlug(implementations)), ...(source ? [{ name: "Source", page: source }] : [])],
      }));
      const subject = chosen.length ? chosen : names.notes.flatMap(({ implementations }) => bySlug(implementations));
      if (subject.length && wanted.length && subject.length <= MOST_OF_MANY)
        answers.push({ kind: "pair", products: subject, features: wanted });
      else if (names.products.length + names.notes.length > 1 && rest.length === 0) {
        const all = [...new Set([...chosen, ...names.notes.flatMap(({ implementations }) => bySlug(implementations))])];
        if (all.length > 1 && all.length <= MOST_OF_MANY) answers.push({ kind: "versus", products: all });
      }
      answers.push(...behavior.map(({ title, text }) => ({ kind: "note", title, text, links: [] })));

      let found = whole;
      let unknown = "";
      if (isNamed && (best >= NOTE || answers.length)) {
        const own = wanted.length ? wanted : matching(entries, rest).filter(({ tier }) => tier < NOTE);
        if (rest.length && own.length + behavior.length === 0) unknown = rest.join(" ");
        found = [...chosen.map((one) => ({ ...one, tier: WORD })), ...own];
      } else if (chosen.length && best > PHRASE) {
        const isChosen = ({ of, nth }) => chosen.some((one) => one.of === of && one.nth === nth);
        found = [...whole.filter(isChosen), ...whole.filter((one) => !isChosen(one))];
      } else if (best >= NOTE && wanted.length > 1) {
        const names = wanted.map(({ name }) => name);
        const page = `find/?must=${names.join()}`;
        const text = "Implementations are listed by how many of these features they support.";
        answers.push({
          kind: "note",
          title: names.join(" and "),
          text,
          links: [{ name: "Find implementations", page }],
        });
        found = wanted;
      }
      // A card links its products and features.
      const linked = answers.flatMap(({ products = [], features = [] }) => [...products, ...features]);
      found = found.filter((one) => !linked.some(({ page }) => page === one.page));
      const isPoor = () => answers.length === 0 && found.every(({ tier }) => tier >= NOTE);
      if (isPoor()) answers.push(...unknownNumber(text).map((one) => ({ kind: "note", ...one })));
      // Entries for a part of the words are better than none.
      if (answers.length + found.length === 0) {
        const isKnown = (word) => matching(entries, [word])[0]?.tier < NOTE;
        const known = asked.filter(isKnown);
        if (known.length) unknown = asked.filter((word) => !isKnown(word)).join(" ");
        found = matching(entries, known).filter(({ tier }) => tier < NOTE);
      }
      const guesses = answers.length === 0 && (isPoor() || unknown) ? guess(asked) : [];
      return { answers, groups: grouped(found), guesses, unknown, count: found.length };
    };
  }

  const answerPage = (query) => `answer/?q=${encodeURIComponent(query).replaceAll("%20", "+")}`;

  gwconform.search = search;
  if (typeof document === "undefined") return;

  const { make, counted, root, glyph } = gwconform;
  const { marks } = gwconform.index;
  const find = search(gwconform.index);
  const DELAY = 120;
  const MOST_NAMED = 5;
  const MOST_FEATURES = 3;

  function address(page) {
    const url = new URL(page, root);
    if (url.protocol === "file:" && url.pathname.endsWith("/")) url.pathname += "index.html";
    return url.href;
  }

  /** Data of features by name, loaded once. */
  const loaded = new Map();
  function load(feature) {
    if (!loaded.has(feature)) {
      const data = fetch(new URL(`api/v1/features/${encodeURIComponent(feature)}.json`, root)).then((answer) => {
        if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
        return answer.json();
      });
      data.catch(() => loaded.delete(feature));
      loaded.set(feature, data);
    }
    return loaded.get(feature).then(({ features }) => features[0]);
  }

  const slugOf = ({ page }) => page.split("/").slice(1, 3).join("/");
  const compare = (slugs) => `compare/?${slugs.map((slug) => `i=${slug}`).join("&")}`;
  const listed = (names, most, between = ", ") =>
    names.length > most + 1
      ? `${names.slice(0, most).join(between)} and ${names.length - most} more`
      : names.join(between);
  const newestOf = (one) => `${one.implementation_version ?? "no version"}${one.release ? ` for ${one.release}` : ""}`;

  /** What reports say about a feature: mark, words, and the rest of the sentence. */
  function said(one) {
    const former = one.standing === "not-current" ? " The implementation is not current." : "";
    if (one.state === null)
      return [["absent", "·"], "No report can say", `: ${one.text}. Its newest report: ${newestOf(one)}.${former}`];
    const mark = marks[one.state];
    if (one.since === null) {
      const word = one.state === "unsupported" ? "No" : mark[2][0].toUpperCase() + mark[2].slice(1);
      return [mark, word, `: ${one.text} in ${newestOf(one)}.${former}`];
    }
    const channels = one.channels.length ? ` in the ${listed(one.channels, 2, " and ")} channel` : "";
    const since = `${one.since_version ?? "a version not stated"} (${one.since}, ${one.since_date ?? "no date"})`;
    const isProved = one.passed_test_count !== null;
    const tests = isProved ? `${counted(one.passed_test_count, "test")} passed` : `In ${newestOf(one)}: ${one.text}`;
    const rest = `: supported since ${since}${channels}${one.channels.length > 1 ? "s" : ""}. ${tests}.${former}`;
    return [mark, isProved ? "Yes, proved" : "Yes, but not proved", rest];
  }

  /** Sentences and links about products and features, from the data of the features. */
  async function pairOf({ products, features }) {
    const all = await Promise.all(features.slice(0, MOST_FEATURES).map(({ name }) => load(name)));
    const [body, links] = [[], []];
    const has = { products: products.length > 1, features: all.length > 1 };
    for (const { feature, implementations } of all) {
      const own = products.map((product) => implementations.find((one) => one.implementation === slugOf(product)));
      const known = own.filter((one) => one);
      for (const one of known) {
        const [mark, word, rest] = said(one);
        const who = [has.products ? one.name : null, has.features ? feature : null].filter((name) => name).join(" · ");
        body.push(
          make(
            "p",
            {},
            who ? make("b", {}, `${who}: `) : null,
            glyph(mark),
            make("b", { class: mark[0] }, ` ${word}`),
            rest,
          ),
        );
        const place = who ? ` (${who})` : "";
        const page = `implementations/${one.report}/`;
        if (one.line === null) links.push({ name: `Newest report${place}`, page });
        else links.push({ name: `Line ${one.line} of the report${place}`, page: `${page}#f-${feature}` });
      }
      const others = implementations.filter(
        (one) => one.passed_test_count !== null && one.standing !== "not-current" && !own.includes(one),
      );
      const names = others.map((one) => `${one.name} ${one.implementation_version ?? ""}`.trim());
      const count = counted(others.length, "other current implementation");
      const isAsked = known.some((one) => one.passed_test_count === null);
      const text = `${feature} is proved for ${count}${isAsked && others.length ? `: ${listed(names, MOST_NAMED)}` : ""}.`;
      body.push(make("p", {}, make("small", {}, text)));
      if (!has.products && !has.features && others.length) {
        const page = compare([slugOf(products[0]), others[0].implementation]);
        links.push({ name: `Compare with ${others[0].name}`, page });
      }
    }
    return { body, links };
  }

  /** Title, body and links of an answer. `more` loads those that need data. */
  function cardOf(answer) {
    const { kind, products, features } = answer;
    if (kind === "note")
      return { title: answer.title, body: [make("p", {}, answer.text)], links: answer.links, more: null };
    const names = products.map(({ name }) => name);
    const pages = (all) => all.map(({ name, page }) => ({ name, page }));
    const side = products.length > 1 ? [{ name: "Compare side by side", page: compare(products.map(slugOf)) }] : [];
    if (kind === "versus") {
      const body = products.map(({ name, note }) => make("p", {}, make("b", {}, name), ` ${note}`));
      return { title: `Compare ${names.join(" and ")}`, body, links: [...side, ...pages(products)], more: null };
    }
    const isFile = location.protocol === "file:";
    const wait = isFile
      ? "Answers about support need the site on a web server, such as python3 -m http.server."
      : "Reading the reports …";
    const ofFeatures = features.map(({ name }) => name).join(", ");
    const title = products.length > 1 ? ofFeatures : `${names[0]} · ${ofFeatures}`;
    const links = [...pages(products), ...pages(features), ...side];
    return { title, body: [make("p", {}, wait)], links, more: isFile ? null : () => pairOf(answer) };
  }

  const unreadable = (error) => ({
    body: [make("p", {}, `The data of this site could not be read: ${error.message}.`)],
    links: [],
  });

  /** The page `answer/`. */
  async function showPage(place) {
    const query = new URLSearchParams(location.search).get("q")?.trim() ?? "";
    input.value = query;
    if (query) document.title = `${query} · ${document.title}`;
    document.querySelector("h1").textContent = query || "Answer";
    const { answers, groups, guesses, unknown } = find(query);
    const item = ({ name, page, note }) =>
      make("li", {}, make("a", { href: address(page) }, name), note ? make("small", {}, ` ${note}`) : null);
    place.replaceChildren(make("p", { role: "status" }, "Reading the reports …"));
    const cards = answers.map(async (answer) => {
      const { title, body, links, more } = cardOf(answer);
      const data = await more?.().catch(unreadable);
      return make(
        "section",
        { class: "card" },
        make("h2", {}, title),
        data?.body ?? body,
        make("ul", { class: "links" }, [...(data?.links ?? []), ...links].map(item)),
      );
    });
    const lists = [
      ...(guesses.length ? [["Did you mean", guesses]] : []),
      ...groups.map(({ kind, entries }) => [kind, entries]),
    ];
    const empty = query ? "Nothing matches. " : "Ask with the search box, for example for a product and a feature. ";
    place.replaceChildren(
      ...(await Promise.all(cards)),
      ...(unknown ? [make("p", {}, `Nothing matches “${unknown}”.`)] : []),
      ...(answers.length + groups.length ? [] : [make("p", {}, empty, "Browse ", indexes(), ".")]),
      ...lists.map(([kind, entries]) => make("section", {}, make("h2", {}, kind), make("ul", {}, entries.map(item)))),
    );
  }

  const form = document.querySelector("form.lookup");
  const input = form.querySelector("input");
  const status = make("p", { class: "vh", role: "status" });
  const list = make("div", { role: "listbox", id: "search-results", "aria-label": "Search results" });
  const nothing = make("div", { class: "answers" });
  const popup = make("div", { class: "popup", hidden: true }, nothing, list);
  form.append(popup, status);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-controls": "search-results",
    "aria-expanded": "false",
  }))
    input.setAttribute(name, value);

  let active = null;
  let timer = null;
  const options = () => [...list.querySelectorAll("[role=option]")];

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

  let made = 0;
  function option(page, attributes, ...parts) {
    made += 1;
    const id = `search-option-${made}`;
    return make(
      "a",
      { role: "option", id, href: address(page), tabindex: "-1", "aria-selected": "false", ...attributes },
      parts,
    );
  }

  const entryOption = ({ name, page, note }) =>
    option(page, {}, make("b", {}, name), note ? make("small", {}, note) : null);
  const linkOption = ({ name, page }) => option(page, { class: "link" }, name);

  function group(kind, more, inside) {
    made += 1;
    const title = make(
      "div",
      { class: "kind", id: `search-group-${made}` },
      kind,
      more ? make("small", {}, `${more} more`) : null,
    );
    return make("div", { role: "group", "aria-labelledby": title.id }, title, inside);
  }

  /** Options of an answer: the answer, which opens its page, and its links. Its place stays while data is loaded. */
  function cardGroup(answer, query, waiting) {
    const { title, body, links, more } = cardOf(answer);
    const { features } = answer;
    const text = make("div", { class: "text" }, body);
    const card = option(answerPage(query), { class: features ? "card pair" : "card" }, make("b", {}, title), text);
    const box = make("div", { class: "links" }, links.map(linkOption));
    if (more)
      waiting.push(() =>
        more()
          .catch(unreadable)
          .then((one) => {
            text.replaceChildren(...one.body);
            box.prepend(...one.links.map(linkOption));
            if (card.isConnected) say(query);
          }),
      );
    return group("Answer", 0, [card, box]);
  }

  let count = 0;
  function say() {
    const answer = [...list.querySelectorAll(".card")].map((one) =>
      [...one.children].map((part) => part.textContent).join(": "),
    );
    status.textContent = [...answer, nothing.textContent, counted(count, "result")].filter((one) => one).join(" ");
  }

  function update() {
    const query = input.value.trim();
    const found = find(query);
    const waiting = [];
    active = null;
    list.replaceChildren(
      ...found.answers.map((answer) => cardGroup(answer, query, waiting)),
      ...found.groups.map(({ kind, entries, more }) => group(kind, more, entries.map(entryOption))),
      ...(found.guesses.length ? [group("Did you mean", 0, found.guesses.map(entryOption))] : []),
    );
    const isEmpty = found.answers.length + found.groups.length === 0 && query;
    nothing.replaceChildren(
      ...(found.unknown ? [make("p", {}, `Nothing matches “${found.unknown}”.`)] : []),
      ...(isEmpty
        ? [make("p", {}, "Nothing matches. Implementations without a report are not listed. Browse ", indexes(), ".")]
        : []),
    );
    count = found.count;
    if (query) say();
    else status.textContent = "";
    clearTimeout(timer);
    if (waiting.length) {
      timer = setTimeout(() => {
        for (const start of waiting) start();
      }, DELAY);
    }
    show(query !== "");
    activate(isEmpty ? null : options()[0]);
  }

  const indexes = () =>
    [
      ["", "implementations"],
      ["features/", "features"],
      ["tests/", "tests"],
    ].flatMap(([page, name], at) => [at ? ", " : "", make("a", { href: address(page) }, name)]);

  function press(event) {
    if (event.isComposing) return;
    const all = options();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && popup.hidden) update();
    else if (step && all.length) activate(all.at((all.indexOf(active) + (active || step < 0 ? step : 1)) % all.length));
    else if (event.key === "Escape" && !popup.hidden) show(false);
    else return;
    event.preventDefault();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (popup.hidden) update();
    if (active) active.click();
    else if (input.value.trim()) location.assign(address(answerPage(input.value.trim())));
  });
  input.addEventListener("input", update);
  input.addEventListener("keydown", press);
  input.addEventListener("focus", () => input.value.trim() && update());
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) show(false);
  });
  // Keep the focus in the field while an option is clicked.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  const place = document.getElementById("answer");
  // The page `find/` has an element with the same name.
  if (place?.classList.contains("answer")) showPage(place);
  if (form.contains(document.activeElement)) update();
})();
