// Search box in the header. page.js loads the index (`gwconform.index`) and this script when the box gets the focus.
// Node runs the first part in tests.

(() => {
  const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|[\p{Lo}\p{Lt}\p{Lm}]+|\p{N}+(?:\.\p{N}+)*/gu;
  const ORDER = ["exact", "phrase", "prefix", "word", "stem", "synonym", "note", "typo"];
  const [EXACT, PHRASE, PREFIX, WORD, STEM, SYNONYM, NOTE, TYPO] = ORDER.keys();
  const MOST_OF_ONE = 12;
  const MOST_OF_MANY = 6;
  const MOST_LETTERS = 80;
  const MOST_GUESSES = 6;
  const MOST_FEATURES = 8;

  /** Letters and numbers of a text, and where its words start: `HTTPRouteCORS` has three words, `v1.6` has two. */
  function read(text) {
    const starts = [];
    let letters = "";
    for (const part of text.match(PARTS) ?? []) {
      if (/\d/.test(part) && /\d$/.test(letters)) letters += " ";
      starts.push(letters.length);
      letters += part.toLowerCase();
    }
    return { letters, starts };
  }

  /** Whether a word of the text starts with `word`. Numbers must be whole: `v1.1` is not `v1.16`. */
  const hasWord = ({ letters, starts }, word) =>
    starts.some((at) => letters.startsWith(word, at) && !/^\d{2}/.test(word.slice(-1) + letters[at + word.length]));

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
    "a all also an and any are at be between by called can compare compared could definition did difference differences do does for from has have how i if in into is it me mean meaning means my no not of on or should since that the their there to using versus via vs was what when where which who whose why will with without you".split(
      " ",
    ),
  );
  const VERBS = new Set(
    "able allow allows available enable enabled handle handles implement implemented implements need offer offers provide provides support supported supporting supports use uses work works".split(
      " ",
    ),
  );
  const NOUNS = new Set(
    "api application balancer cloud cluster container containers controller enterprise fabric feature features gateway gateways group implementation implementations ingress k8s kubernetes lb load mesh meshes networking operator platform product products provider proxies proxy service services software".split(
      " ",
    ),
  );
  const MOST_OF_NAME = 6;

  /** The words without those of a set, unless no other word is left. */
  function without(set, words) {
    const left = words.filter((word) => !set.has(word));
    return left.length ? left : words;
  }
  const SMALL = { has: (word) => GRAMMAR.has(word) || /^[a-z]$/.test(word) };
  const subjects = (words) => without(VERBS, without(SMALL, words));
  const isVersion = (word) => /^v\d|^\d+\.\d/.test(word);
  const ASKING = new Set(["what", "which"]);
  // Another form or word for a feature is more likely than the same word in a test or proposal.
  const coarse = ({ tier }) => (tier === STEM || tier === SYNONYM ? WORD : tier);

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
    const notes = new Map();
    for (const one of index.notes)
      for (const { letters } of [one.title, ...one.words].map(read))
        notes.set(letters, new Set([...(notes.get(letters) ?? []), one]));

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

    /**
     * Products and notes that a query names, and the other words. Longer names come first. Nouns name a note only if
     * they are all that is asked.
     */
    function readNames(words, asked) {
      const found = { products: [], notes: [], others: [] };
      for (let at = 0; at < words.length; ) {
        let size = Math.min(MOST_OF_NAME, words.length - at);
        for (; size > 0; size -= 1) {
          const run = words.slice(at, at + size);
          const letters = run.join("");
          const own = productsOf(letters);
          if (own.length) found.products.push(own);
          else if (notes.has(letters) && (letters === asked || !run.every((word) => NOUNS.has(word))))
            found.notes.push(...notes.get(letters));
          else continue;
          break;
        }
        if (size === 0) found.others.push(words[at]);
        at += Math.max(1, size);
      }
      // `aws` only qualifies the name in `aws alb`.
      const isWider = (own) => (other) => other.length < own.length && other.every((one) => own.includes(one));
      found.products = found.products.filter((own) => !found.products.some(isWider(own)));
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
      return rated.sort(
        (a, b) => coarse(a) - coarse(b) || a.of - b.of || rank(a) - rank(b) || a.tier - b.tier || a.nth - b.nth,
      );
    }

    function matching(some, words, spelled = words) {
      if (words.length === 0) return [];
      const all = [spelled, without(NOUNS, words)].map((one) => one.join(""));
      return ranked(some, all, (entry) => tier(entry, all, words));
    }

    /** Entries for words of the query, each list made once. */
    let looked = new Map();
    function lookup(words) {
      const key = words.join(" ");
      if (!looked.has(key)) looked.set(key, matching(entries, words));
      return looked.get(key);
    }
    const known = (words) => lookup(words).filter(({ tier }) => tier < NOTE);

    /** Entries for each of the words, and the words without one. */
    function each(words) {
      const lists = words.map((word) => lookup([word]));
      const found = lists.flat().filter(({ tier }) => tier < NOTE);
      return {
        found: [...new Map(found.map((one) => [one.page + one.name, one])).values()],
        unknown: words.filter((_, nth) => lists[nth].length === 0).join(" "),
      };
    }

    /** Features that fit all words equally well, without variants of another, such as HTTPRouteRetryBackendTimeout. */
    function featuresOf(words) {
      const all = matching(features, words).filter(({ tier }) => tier <= SYNONYM);
      const fit = all.filter((one) => coarse(one) === coarse(all[0]));
      return fit.filter(({ name }, nth) => !fit.slice(0, nth).some((one) => name.includes(one.name)));
    }

    /**
     * Features by the run of words that means them, such as `cors` and `retry`, and the words that mean none. With
     * `isWhole`, no word of the question was left out.
     */
    function runsOf(words, isWhole) {
      const fits = (own) => own.length > 0 && (isWhole || own[0].tier < SYNONYM);
      // An entry for all words, such as a test, is meant, and no part of them.
      if (known(words).length) return { runs: [featuresOf(words)].filter(fits), left: [] };
      const runs = [];
      const left = [];
      for (let at = 0; at < words.length; ) {
        let size = Math.min(MOST_OF_NAME, words.length - at);
        for (; size > 0; size -= 1) {
          const run = words.slice(at, at + size);
          const own = featuresOf(run);
          // A part of the question is a feature only if no term or page fits better.
          if (own.length === 0 || own[0].tier >= SYNONYM || known(run)[0].kind !== "Features") continue;
          runs.push(own);
          break;
        }
        if (size === 0) left.push(words[at]);
        at += Math.max(1, size);
      }
      return { runs, left };
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
      const number = proposal ?? (release && `v${release}`);
      if (!number || known([number]).length) return [];
      if (proposal) {
        const page = "https://gateway-api.sigs.k8s.io/geps/overview/";
        const text = "No feature or test on this site belongs to a proposal with this number.";
        return [{ title: `GEP-${proposal}`, text, links: [{ name: "All proposals", page }] }];
      }
      const newest = index.newest ? ` The newest release it knows is ${index.newest}.` : "";
      return [
        { title: `Gateway API v${release}`, text: `This site has no report for this release.${newest}`, links: [] },
      ];
    }

    /** The words with names of products that are spelled similarly. */
    function respelled(words) {
      const fixed = words.map((word) =>
        word.length < 4 || /\d/.test(word) || known([word]).length
          ? word
          : ([...named.keys()].find((name) => isNear(word, name)) ?? word),
      );
      const query = fixed.join(" ");
      return query === words.join(" ") || words.length < 2 ? [] : [{ name: query, page: answerPage(query), note: "" }];
    }

    /** Guesses for words without a match: entries and behavior. */
    function guess(words) {
      const behavior = outside(words, isAlmost).map(({ title, text }) => ({
        name: title,
        page: answerPage(title),
        note: text,
      }));
      return [...behavior, ...ranked(entries, [], (entry) => typo(entry, words))].slice(0, MOST_GUESSES);
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
     * `pair` of products and features (without products: all), or `versus`, products to compare.
     */
    return (query) => {
      const text = query.slice(0, MOST_LETTERS).replace(/(^|\s)(?=\d+\.\d)/g, "$1v");
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:(?<=\p{N})\.\p{N}+)*/gu) ?? [];
      if (words.length === 0) return { answers: [], groups: [], guesses: [], unknown: "", count: 0 };
      const asked = subjects(words);
      const isVague = words.every(SMALL.has);
      looked = new Map();
      const all = words.length === asked.length ? lookup(asked) : matching(entries, asked, words);
      const whole = all.filter(({ tier }) => !isVague || tier <= PREFIX);
      const best = whole[0]?.tier ?? TYPO;
      const names = readNames(words, asked.join(""));
      if (best <= PHRASE && whole[0].kind === "Pages") names.notes = [];
      const isNamed = names.products.length + names.notes.length > 0;
      const others = names.others.filter((word) => !SMALL.has(word) && !VERBS.has(word));
      const versions = isNamed ? others.filter(isVersion) : [];
      const full = isNamed ? others.filter((word) => !isVersion(word)) : asked;
      const nouns = full.filter((word) => !NOUNS.has(word));
      const rest = nouns.length && known(full).length ? full : isNamed ? nouns : without(NOUNS, full);
      const isWho =
        !isNamed &&
        (words.includes("who") ||
          words.some((word, at) => ASKING.has(word) && words.slice(at + 1, at + 3).some((next) => VERBS.has(next))));

      let behavior = outside(isNamed ? others : asked, isSame);
      const isAnswered = behavior.length > 0 || isVague || (best <= PHRASE && !isNamed && !isWho);
      const { runs, left } = isAnswered ? { runs: [], left: [] } : runsOf(rest, rest.length === full.length);
      const wanted = [...new Map(runs.flat().map((one) => [one.name, one])).values()];
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
      if ((subject.length || (isWho && left.length === 0)) && wanted.length && subject.length <= MOST_OF_MANY)
        answers.push({ kind: "pair", products: subject, features: wanted.slice(0, MOST_FEATURES), versions });
      else if (names.products.length + names.notes.length > 1 && rest.length === 0) {
        const all = [...new Set([...chosen, ...names.notes.flatMap(({ implementations }) => bySlug(implementations))])];
        if (all.length > 1 && all.length <= MOST_OF_MANY) answers.push({ kind: "versus", products: all });
      }
      answers.push(...behavior.map(({ title, text }) => ({ kind: "note", title, text, links: [] })));

      let found = whole;
      let unknown = "";
      if (isNamed && (best >= NOTE || answers.length)) {
        const own = wanted.length ? wanted : known(rest.length ? rest : versions);
        const more = behavior.length ? { found: [], unknown: "" } : each(own.length ? left : rest);
        unknown = more.unknown;
        found = [...chosen.map((one) => ({ ...one, tier: WORD })), ...own, ...more.found];
      } else if (chosen.length && best > PHRASE) {
        const isChosen = ({ of, nth }) => chosen.some((one) => one.of === of && one.nth === nth);
        found = [...whole.filter(isChosen), ...whole.filter((one) => !isChosen(one))];
      } else if (best >= NOTE && runs.length > 1 && left.length === 0) {
        const names = runs.map(([{ name }]) => name);
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
      if (answers.length + found.length === 0 && !isVague) {
        const some = each(without(NOUNS, asked));
        const parts = known(asked.filter((word) => known([word]).length));
        found = parts.length ? parts : some.found;
        if (found.length) unknown = some.unknown;
      }
      const isOpen = answers.length === 0 && !isVague && (isPoor() || unknown);
      const again = isOpen ? respelled(asked) : [];
      const guesses = again.length ? again : isOpen ? guess(asked) : [];
      if (again.length) found = found.filter(({ kind }) => kind === "Implementations");
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
  const MOST_SUPPORTING = 20;
  const MOST_LINES = 3;

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

  const sinceOf = ({ since_version: version, since, since_date: date }) =>
    `${version ?? "a version not stated"} (${since}, ${date ?? "no date"})`;

  /** What reports say about a feature: mark, words, and the rest of the sentence. */
  function said(one) {
    const former = one.standing === "not-current" ? " The implementation is not current." : "";
    if (one.state === null)
      return [["absent", "·"], "Nothing reported", `: ${one.text}. Its newest report: ${newestOf(one)}.${former}`];
    const mark = marks[one.state];
    if (one.since === null) {
      const word = one.state === "unsupported" ? "No" : mark[2][0].toUpperCase() + mark[2].slice(1);
      return [mark, word, `: ${one.text} in ${newestOf(one)}.${former}`];
    }
    const isProved = one.passed_test_count !== null;
    const tests = isProved ? `${counted(one.passed_test_count, "test")} passed` : `In ${newestOf(one)}: ${one.text}`;
    const inChannels = (all) => ` in the ${all.join(" and ")} channel${all.length > 1 ? "s" : ""}`;
    const first = sinceOf(one);
    const late = one.since_in_channels.filter((own) => own.since_version !== one.since_version);
    const early = one.channels.filter((channel) => late.every((own) => own.channel !== channel));
    // Reports for old releases state no channel.
    const since = early.length
      ? [first + inChannels(early), ...late.map((own) => sinceOf(own) + inChannels([own.channel]))]
      : [first + (late.length ? `, now${inChannels(one.channels)}` : "")];
    const rest = `: supported since ${since.join(", since ")}. ${tests}.${former}`;
    return [mark, isProved ? "Yes, proved" : "Yes, but not proved", rest];
  }

  /** Names of the current implementations by what they report. */
  function supporters(implementations) {
    const current = implementations.filter(({ standing }) => standing !== "not-current");
    const groups = [
      ["Yes, proved", ({ passed_test_count: passed }) => passed !== null],
      ["Yes, but not proved", ({ passed_test_count: passed, since }) => passed === null && since !== null],
      ["No", ({ state, since }) => state !== null && since === null],
      ["Nothing reported", ({ state }) => state === null],
    ];
    return groups.flatMap(([word, isIn]) => {
      const own = current.filter(isIn);
      if (own.length === 0) return [];
      const [mark] = said(own[0]);
      const names = listed(
        own.map(({ name }) => name),
        MOST_SUPPORTING,
      );
      return [make("p", {}, glyph(mark), make("b", { class: mark[0] }, ` ${word}`), ` (${own.length}): ${names}.`)];
    });
  }

  /** Sentences and links about products and features, from the data of the features. */
  async function pairOf({ products, features, versions }) {
    const all = await Promise.all(features.map(({ name }) => load(name)));
    const [body, links] = [[], []];
    const has = { products: products.length > 1, features: all.length > 1 };
    const of = ({ implementations }) =>
      products.flatMap((product) => implementations.find((one) => one.implementation === slugOf(product)) ?? []);
    const isReported = ({ state }) => state !== null;
    const isAny = all.some((one) => of(one).some(isReported));
    for (const one of all) {
      const { feature, implementations } = one;
      if (products.length === 0) {
        if (has.features) body.push(make("p", {}, make("b", {}, feature)));
        body.push(...supporters(implementations));
        continue;
      }
      // Of several features, those without a report say nothing.
      const known = of(one).filter((own) => !has.features || !isAny || isReported(own));
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
        // Pages of features link to the reports.
        if (all.length > MOST_LINES) continue;
        if (one.line === null) links.push({ name: `Newest report${place}`, page });
        else links.push({ name: `Line ${one.line} of the report${place}`, page: `${page}#f-${feature}` });
      }
      if (has.features) continue;
      const others = implementations.filter(
        (one) => one.passed_test_count !== null && one.standing !== "not-current" && !known.includes(one),
      );
      const names = others.map((one) => `${one.name} ${one.implementation_version ?? ""}`.trim());
      const count = others.length
        ? counted(others.length, "other current implementation")
        : "no other current implementation";
      const isAsked = known.some((one) => one.passed_test_count === null);
      const text = `${feature} is proved for ${count}${isAsked && others.length ? `: ${listed(names, MOST_NAMED)}` : ""}.`;
      body.push(make("p", {}, make("small", {}, text)));
      if (!has.products && others.length) {
        const page = compare([slugOf(products[0]), others[0].implementation]);
        links.push({ name: `Compare with ${others[0].name}`, page });
      }
    }
    if (versions.length) {
      const text = `This answer is about the newest report, not about ${versions.join(" and ")}.`;
      body.push(make("p", {}, make("small", {}, text)));
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
      return {
        title: `Compare ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`,
        body,
        links: [...side, ...pages(products)],
        more: null,
      };
    }
    const isFile = location.protocol === "file:";
    const wait = isFile
      ? "Answers about support need the site on a web server, such as python3 -m http.server."
      : "Reading the reports …";
    const ofFeatures = listed(
      features.map(({ name }) => name),
      MOST_LINES,
    );
    const who = products.length ? `${names[0]} · ${ofFeatures}` : `Who supports ${ofFeatures}?`;
    const title = products.length > 1 ? ofFeatures : who;
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
