// Find page: reports that support all selected features. A single report must support all of them; features are
// never combined across reports.

(() => {
  const { make, counted, keep, kept, markdown, markdownAddress, copier, load, reports, state, glyph } = gwconform;
  const { absences, comparedBox, fill, keepCompared, prose } = gwconform;
  const place = document.getElementById("find");
  const form = place.querySelector("form");
  const side = place.querySelector(".answer-side");
  const title = side.querySelector("h2");
  const results = side.querySelector(".results");
  const examples = [...results.childNodes];
  const marks = JSON.parse(place.dataset.marks);

  // The answer comes before the choices, which are folded, and before the manifests.
  const question = form.querySelector(".question");
  const toggle = form.querySelector(".toggle");
  const fold = (isFolded) => {
    question.hidden = isFolded;
    toggle.setAttribute("aria-expanded", String(!isFolded));
  };
  toggle.addEventListener("click", () => fold(!question.hidden));
  function arrange(isAnswer) {
    const manifests = document.getElementById("manifests");
    if (manifests && isAnswer) place.after(manifests);
    else if (manifests) place.before(manifests);
    place.closest("main").classList.toggle("answered", isAnswer);
    fold(isAnswer);
  }
  const isAsked = () => /[?&](must|nice|profiles?|channel|scope|conformant|mesh)=/.test(location.search);
  if (isAsked()) arrange(true);

  const present = (...parts) => parts.flat().filter((one) => one);
  const button = (words, click, more = {}) => make("button", { type: "button", click, ...more }, words);
  const root = place.dataset.root;
  const NEAR = 2;
  const MAX_ROWS = 100;
  const MAX_NAMED = 8;
  const MAX_LACKING = 5;
  // Features that a suggestion leaves out, and sets of features that suggestions combine.
  const MAX_LEFT_OUT = 3;
  const MAX_SETS = 12;
  // From best to worst; states up to `skipped` are claims.
  const ORDER = marks.ranked;
  const rank = (one) => ORDER.indexOf(one);
  const LAST_PROVED = rank("proved-by-log");
  const LAST_UNSEEN = rank("not-seen");
  const LAST_MET = rank("skipped");
  const word = (one) => marks.states[one][2];

  let all = [];
  // Large sites split the data. Parts with only older reports are loaded when all releases are searched.
  let isComplete = !place.dataset.older;
  let olderPart = null;
  function searchOlder() {
    title.textContent = "Reports of all releases";
    if (!olderPart) {
      olderPart = make("div", {});
      load(place.dataset.older, olderPart, (data) => {
        all = [...reports(data), ...all];
        isComplete = true;
        if (form.elements.scope.value === "all") show();
      });
    }
    results.replaceChildren(olderPart);
  }

  let features = [];
  let releases = {};
  let implementations = [];
  let current = new Set();
  let newest = null;
  let absence = () => null;
  // Manifests can require several profiles, or one profile and its family (`profiles=` in the URL).
  let profiles = [];
  // What `gwconform needs` says about the manifests of the question, until the user changes it.
  const NO_MANIFESTS = { defaults: [], undecided: [], count: 0 };
  let manifests = NO_MANIFESTS;
  const core = JSON.parse(place.dataset.core);

  // Checklist: each feature name becomes a checkbox label, with a "nice to have" checkbox and the number of
  // implementations that would match.
  const items = [...place.querySelectorAll("[data-feature]")];
  const boxes = { must: [], nice: [] };
  let counts = [];
  function putBoxes() {
    counts = items.map((item, at) => {
      const name = item.querySelector(".name");
      const count = make("span", { class: "count", id: `count-${at}` });
      const box = (list, describedBy) =>
        make("input", {
          type: "checkbox",
          name: list,
          value: item.dataset.feature,
          id: `${list}-${at}`,
          "aria-describedby": describedBy,
        });
      const [must, nice] = [box("must", `name-${at} count-${at}`), box("nice", `name-${at}`)];
      for (const [one, other] of [
        [must, nice],
        [nice, must],
      ]) {
        one.addEventListener("change", () => {
          if (one.checked) other.checked = false;
        });
      }
      item.querySelector("code").id = `name-${at}`;
      const label = name.textContent;
      const words = make("span", { class: "vh" }, ` to have: ${label}`);
      name.replaceWith(
        make(
          "div",
          { class: "choice" },
          make("label", { for: must.id }, must, ` ${label}`),
          make("label", { class: "nice", for: nice.id }, nice, " nice", words),
          count,
        ),
      );
      boxes.must.push(must);
      boxes.nice.push(nice);
      return count;
    });
    question.append(place.querySelector(".checklist"));
    form.hidden = false;
    place.classList.add("live");
    title.tabIndex = -1;
  }

  const chosen = (list) => boxes[list].filter((box) => box.checked).map((box) => box.value);
  const named = (name) => features.find((feature) => feature.feature === name);

  function narrow() {
    const words = form.elements.feature.value.trim().toLowerCase().split(/\s+/);
    for (const item of items) item.hidden = !words.every((one) => item.dataset.q.includes(one));
    for (const kind of place.querySelectorAll(".kind")) {
      kind.hidden = [...kind.querySelectorAll("[data-feature]")].every((item) => item.hidden);
      for (const fold of kind.querySelectorAll("details")) fold.open = words[0] !== "";
    }
    const left = items.filter((item) => !item.hidden).length;
    form.querySelector(".found").textContent =
      words[0] === "" ? "" : left === 0 ? "No feature matches" : counted(left, "feature");
  }

  /** Why a report, or the selected profile, does not have a feature. */
  function absent(report, feature, profile) {
    const why = absence(report, feature.place);
    if (!profile || !why?.isOfRelease) return why;
    return { text: fill(marks.not_in_profile, { release: report.minor, profile }), isOfRelease: false };
  }

  /** Best state of a feature in these profiles. */
  function bestOf(among, feature) {
    let best = { state: "not-stated", in: null };
    for (const one of among) {
      const found = state(one, feature.place);
      if (best.in === null || rank(found) < rank(best.state)) {
        best = { state: found, in: one, text: one.texts[feature.place] };
      }
    }
    return best;
  }

  /** Best state of a feature in the selected profile, or in any profile. */
  function supportIn(report, feature, profile) {
    const best = bestOf(
      report.profiles.filter((one) => !profile || one.profile === profile),
      feature,
    );
    const why = best.state === "not-in-release" ? absent(report, feature, profile) : null;
    return { feature, absent: why, reason: why?.text ?? word(best.state), ...best };
  }

  /**
   * Must match `gwconform needs`. If there are several profiles and a feature is core in some of them, its worst
   * state there counts. Otherwise the state in the only profile counts, or the best state in the family if that
   * profile does not have the feature.
   */
  function neededIn(report, feature) {
    const named = (name) => report.profiles.filter((one) => one.profile === name);
    const inCore = profiles.length > 1 ? profiles.filter((name) => core[name]?.includes(feature.feature)) : [];
    if (inCore.length) {
      const missing = inCore.filter((name) => named(name).length === 0);
      if (missing.length) {
        const text = fill(marks.not_reported, { profiles: missing.join(" or ") });
        return { feature, absent: { text, isOfRelease: true }, reason: text, state: "not-in-release", in: null };
      }
      const found = inCore.map((name) => bestOf(named(name), feature));
      const [worst] = found.sort((a, b) => rank(b.state) - rank(a.state));
      return { feature, absent: null, reason: word(worst.state), ...worst };
    }
    const family = profiles.length === 1 ? familyOf(profiles[0]) : undefined;
    const own = named(profiles[0]).filter((one) => state(one, feature.place) !== "not-in-release");
    const ofFamily = report.profiles.filter((one) => !family || one.family === family);
    const best = bestOf(profiles.length === 1 && own.length ? own : ofFamily, feature);
    const why = best.state === "not-in-release" ? absence(report, feature.place, family) : null;
    const route =
      profiles.length === 1 && !own.length && rank(best.state) <= LAST_MET ? routeOf(feature, best.in) : null;
    if (route) {
      const isProved = rank(best.state) <= LAST_PROVED;
      const reason = `${isProved ? "proved" : word(best.state)} for ${route}s`;
      return { feature, absent: null, ...best, reason, state: isProved ? "claimed" : best.state };
    }
    return { feature, absent: why, reason: why?.text ?? word(best.state), ...best };
  }

  /** Routes that the tests of a profile use. Features of Gateways do not depend on the Routes. */
  const routeOf = (feature, profile) =>
    /^(Gateway|ListenerSet)/.test(feature.feature) ? null : core[profile?.profile]?.find((name) => /Route$/.test(name));

  const support = (report, feature, profile) =>
    profiles.length ? neededIn(report, feature) : supportIn(report, feature, profile);

  const familyOf = (name) =>
    all.flatMap((report) => report.profiles).find((one) => one.profile === name && one.family)?.family;

  const isMet = (one) => rank(one.state) <= LAST_MET;
  const worstOf = (found) => Math.max(...found.map((one) => rank(one.state)), 0);

  /** Splits the required features into met and missing ones, and evaluates the nice-to-have features. */
  function judge(report, { must, nice }, profile) {
    const found = must.map((feature) => support(report, feature, profile));
    const wished = nice.map((feature) => support(report, feature, profile));
    const met = found.filter(isMet);
    return {
      report,
      cells: [...found, ...wished],
      met,
      lacking: found.filter((one) => !isMet(one)),
      nice: wished,
      worst: worstOf(met),
      granted: wished.filter(isMet).length,
      worstGranted: worstOf(wished.filter(isMet)),
      proved: met.filter((one) => rank(one.state) <= LAST_PROVED).length,
    };
  }

  const isMesh = ({ family, status }) => family === "mesh" && /^(conformant|partial)$/.test(status);
  const isIn = (report, scope) =>
    scope === "all" || (scope === "newest" ? report.minor === newest : current.has(report.minor));

  /**
   * Must match `is_of_channel` in src/certify/catalog/answers.rs. Runs with experimental CRDs also prove features whose
   * fields are in the standard channel of their release.
   */
  function isOfChannel(report, channel, must) {
    const standard = releases[report.release]?.standard ?? [];
    return (
      report.channel === channel ||
      (report.channel === "experimental" &&
        must.length > 0 &&
        must.every((feature) => standard.includes(feature.place)))
    );
  }

  /** Must match `is_verdict` in src/certify/catalog/answers.rs. */
  function isConformant(report, profile) {
    const found = report.profiles.filter(({ status }) => status === "conformant").map((one) => one.profile);
    const asked = profile ? [profile, ...profileNames()] : profileNames();
    return found.length > 0 && asked.every((name) => found.includes(name));
  }

  function judgeAll(wanted, { profile, channel, scope, mesh }) {
    const inScope = all.filter((report) => isIn(report, scope));
    const meshes = new Set(inScope.filter((one) => one.profiles.some(isMesh)).map((one) => one.implementation));
    // With several profiles, features decide which of them a report must have.
    const needed = profiles.length > 1 && wanted.must.length ? [] : profileNames();
    const asked = inScope.filter(
      (report) =>
        (!mesh || meshes.has(report.implementation)) &&
        (!channel || isOfChannel(report, channel, wanted.must)) &&
        (!profile || report.profiles.some((one) => one.profile === profile)) &&
        needed.every((name) => report.profiles.some((one) => one.profile === name)),
    );
    return asked.map((report) => judge(report, wanted, profile));
  }

  const isQuestion = ({ must, nice }, choice) =>
    must.length + nice.length + profileNames().length > 0 || Object.values(choice).some((one) => one);

  /** Without required features, an answer has a feature that is nice to have. */
  const isHit = (one, { must, nice }) =>
    one.lacking.length === 0 && (must.length > 0 || nice.length === 0 || one.granted > 0);
  const matched = (wanted, choice) =>
    byImplementation(judgeAll(wanted, choice), choice).filter((one) => isHit(one, wanted)).length;

  /**
   * Smallest sets of features whose removal adds most implementations, as `[features, count]`. Candidates are the
   * features that an implementation lacks, and the unions of two such sets.
   */
  function leavingOut({ must }, answers, count) {
    const short = answers.filter((one) => one.lacking.length > 0);
    const lacking = short.map((one) => one.lacking.map(({ feature }) => feature));
    const most = Math.min(Math.max(MAX_LEFT_OUT, count ? 0 : (lacking[0]?.length ?? 0)), must.length - 1);
    const sets = new Map();
    const add = (features) => {
      if (features.length <= most) sets.set(features.map(({ place }) => place).join(), features);
    };
    for (const one of lacking) add(one);
    const small = [...sets.values()].slice(0, MAX_SETS);
    for (const one of small)
      for (const other of small) add(must.filter((feature) => one.includes(feature) || other.includes(feature)));
    const isMetBy = (left) => lacking.filter((one) => one.every((feature) => left.includes(feature))).length;
    const offers = [...sets.values()].map((left) => [left, count + isMetBy(left)]);
    offers.sort(([a, more], [b, most]) => a.length - b.length || most - more);
    const mostBefore = (at) => Math.max(count, ...offers.slice(0, at).map(([, found]) => found));
    // Larger sets must add more.
    return offers.filter(([, found], at) => found > mostBefore(at));
  }

  /** Offers to leave out features, and results with one condition relaxed. */
  function relaxed(wanted, choice, answers, count) {
    const offer = (words, found, set) => {
      const click = () => {
        set();
        relax();
        title.focus();
      };
      const text = found === null ? words : `${words}: ${counted(found, "implementation")}`;
      return make("li", {}, button(text, click));
    };
    const without = leavingOut(wanted, answers, count).flatMap(([left]) => {
      const found = matched({ must: wanted.must.filter((one) => !left.includes(one)), nice: [] }, choice);
      const drop = () => {
        for (const box of boxes.must) if (left.some(({ feature }) => feature === box.value)) box.checked = false;
      };
      return found > count ? [offer(`Without ${listed(left.map(({ label }) => label))}`, found, drop)] : [];
    });
    const conditions = [
      ["channel", "", "any channel"],
      ["profile", "", "any profile"],
      ["scope", "all", "reports of all releases"],
    ].flatMap(([name, value, words]) => {
      const eased = { ...choice, [name]: value };
      if (choice[name] === value || !isQuestion(wanted, eased)) return [];
      const isLoaded = isComplete || value !== "all";
      const found = isLoaded ? matched(wanted, eased) : null;
      const set = () => {
        form.elements[name].value = value;
      };
      return (isLoaded ? found > count : count === 0) ? [offer(`With ${words}`, found, set)] : [];
    });
    const offers = [...without, ...conditions];
    return offers.length ? make("ul", { class: "chips", "aria-label": "Relax a condition" }, offers) : null;
  }

  /**
   * Newest report of each implementation, best first, with its other reports. Among reports of the same release and
   * version, the best counts. Must match `gwconform needs`.
   */
  function byImplementation(judged, { conformant, profile }) {
    const groups = new Map();
    for (const one of judged) {
      const group = groups.get(one.report.implementation) ?? [];
      group.push(one);
      groups.set(one.report.implementation, group);
    }
    const newest = [...groups.values()].flatMap((group) => {
      group.sort(nearer);
      const last = group.reduce((a, b) => (preferred(a, b) <= 0 ? a : b));
      const isAnswer = ({ report }) => isBeside(report, last.report) && (!conformant || isConformant(report, profile));
      const answer = group.find(isAnswer);
      if (!answer) return [];
      const older = closeness(group[0]) < closeness(answer) ? group[0] : null;
      return { ...answer, older, others: group.filter((one) => one !== answer) };
    });
    return newest.sort(nearer);
  }

  const isBeside = (a, b) => a.release === b.release && a.implementation_version === b.implementation_version;
  /** All proved, all supported, then by the number of missing features. */
  const closeness = (one) => (one.lacking.length ? one.lacking.length + 1 : one.worst > LAST_PROVED ? 1 : 0);

  const wishes = (a, b) => b.granted - a.granted || a.worstGranted - b.worstGranted;
  const preferred = (a, b) => a.report.preference - b.report.preference;
  const better = (a, b) => a.worst - b.worst || wishes(a, b) || preferred(a, b);
  const nearer = (a, b) => a.lacking.length - b.lacking.length || better(a, b);
  /** `A, B and C`. */
  const listed = (names) => present(names.slice(0, -1).join(", "), names.slice(-1)).join(" and ");
  const link = (href, ...inside) => make("a", { href }, ...inside);
  const featureLink = (feature) => (feature.page ? link(root + feature.page, feature.label) : feature.label);
  const run = ({ channel, mode }) => present(channel, mode === "default" ? null : mode).join(", ");

  /** Groups by state and reason, best first: `[[state, reason, found], …]`. */
  function byReason(found) {
    const groups = new Map();
    for (const one of [...found].sort((a, b) => rank(a.state) - rank(b.state))) {
      const group = groups.get(one.reason) ?? [one.state, one.reason, []];
      group[2].push(one);
      groups.set(one.reason, group);
    }
    return [...groups.values()];
  }

  /** `● proved: CORS, Request Mirror`, one line per reason. */
  function lines(found) {
    return byReason(found).map(([one, reason, own]) => {
      const names = own.flatMap((other, at) => [
        at ? ", " : "",
        featureLink(other.feature),
        other.text && rank(one) > LAST_UNSEEN ? make("small", { class: "tests" }, ` ${testsOf(other.text)}`) : null,
      ]);
      const [name, sign] = marks.states[one];
      return make(
        "div",
        { class: "states" },
        glyph([name, sign]),
        make("span", { class: name }, ` ${reason}: `),
        ...names,
      );
    });
  }

  // The mark before the text already includes `supported`.
  const testsOf = (text) => `(${text.replace(/^supported[,;] /, "")})`;

  const part = (name, found) =>
    found.length ? make("div", { class: "lacks" }, make("b", {}, name), make("div", {}, lines(found))) : null;

  /** `● conformant: HTTP, GRPC`, one line per verdict. */
  function verdicts(report) {
    const known = Object.keys(marks.statuses).filter((status) => report.profiles.some((one) => one.status === status));
    known.sort((a, b) => marks.verdicts.indexOf(a) - marks.verdicts.indexOf(b));
    return known.map((status) => {
      const own = report.profiles.filter((one) => one.status === status);
      const names = own.map((one) => one.profile.replace(/^GATEWAY-/, "").replace(/^MESH-/, "Mesh ") || "no name");
      const mark = marks.statuses[status];
      return make(
        "div",
        { class: "verdict-line" },
        make("span", { class: mark[0] }, glyph(mark), ` ${mark[2]}`),
        make("small", { class: "tests" }, ` ${names.sort().join(", ")}`),
      );
    });
  }

  /** Verdict on the implementation, which also depends on the age of the report. */
  function today({ implementation }) {
    const { families } = implementations.find((one) => one.implementation === implementation) ?? { families: [] };
    if (families.length === 0) return null;
    const words = families.map(({ family, text }) => (families.length > 1 ? `as a ${family}: ${text}` : text));
    return make(
      "div",
      { class: "lacks" },
      make("b", {}, "The implementation today "),
      make("div", {}, words.join("; ")),
    );
  }

  const scrolling = (name, table) =>
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, table);

  /** Needs × implementations: a table of the answers that support a feature, and a button that adds the others. */
  function matrix(answers, { must, nice }) {
    const near = answers.filter((one) => one.met.length > 0 || one.lacking.length === 0);
    const first = (near.length ? near : answers).slice(0, MAX_ROWS);
    const others = answers.filter((one) => !first.includes(one));
    const head = (feature, name) => {
      const title = `${feature.feature}${name}`;
      return make("th", { scope: "col", class: "m", title }, make("div", {}, featureLink(feature)));
    };
    const heads = [
      make("th", { scope: "col", class: "m" }, make("div", {}, "Compare")),
      make("th", { scope: "col" }, "Implementation"),
      make("th", { scope: "col" }, must.length ? "Needs" : must.length + nice.length ? "" : "Result of the report"),
      must.map((feature) => head(feature, "")),
      nice.map((feature) => head(feature, ", nice to have")),
    ].flat();
    const body = make("tbody", {}, first.map(row));
    if (others.length) {
      const click = () => more.replaceWith(...others.flatMap(row));
      const isNone = must.length > 0 && others.every((one) => one.met.length === 0);
      const none = must.length === 1 ? ", without it" : ", which support none of them";
      const adder = button(`Show ${others.length} more${isNone ? none : ""}`, click);
      const more = make("tr", { class: "rest" }, make("td", { colspan: heads.length }, adder));
      body.append(more);
    }
    const caption = make("caption", { class: "vh" }, "Features and implementations, ordered by what they lack");
    const table = make("table", { class: "hits" }, caption, make("thead", {}, make("tr", {}, heads)), body);
    return scrolling("Features and implementations", table);
  }

  /** `lacks 2`, or the best state of all features. */
  function gap({ lacking, met, worst }) {
    const count = lacking.length + met.length;
    if (count === 0) return null;
    if (lacking.length) {
      const names = lacking.slice(0, MAX_LACKING).map(({ feature }) => feature.label);
      const more = lacking.length - names.length;
      const text = `: ${listed(more ? [...names, `${more} more`] : names)}`;
      return [make("b", {}, `lacks ${lacking.length}`), make("span", { class: "names" }, text)];
    }
    const isProved = worst <= LAST_PROVED;
    const all = count === 1 ? "" : "all ";
    return make("b", { class: isProved ? "proved" : "" }, isProved ? `${all}proved` : `has ${all || "it"}`);
  }

  /** A row, and a row of details that is filled when it is opened. */
  function row(one) {
    const { report } = one;
    const cell = (found) => {
      const [name, sign] = marks.states[found.state];
      const text = `${found.feature.label}: ${found.reason}${found.text ? ` ${testsOf(found.text)}` : ""}`;
      const line = `implementations/${report.report}/#f-${encodeURIComponent(found.feature.feature)}`;
      const href = root + (found.state === "not-in-release" ? (found.feature.page ?? "") : line);
      const inside = [glyph([name, sign]), make("span", { class: "vh" }, found.reason)];
      // The details have links for the keyboard.
      const link = make("a", { href, tabindex: "-1", title: text }, inside);
      return make("td", { class: `m ${one.lacking.includes(found) ? "failed" : name}` }, link);
    };
    const details = make("td", { colspan: one.cells.length + 3 });
    const more = make("tr", { class: "more", hidden: true }, details);
    const click = ({ currentTarget }) => {
      more.hidden = !more.hidden;
      currentTarget.setAttribute("aria-expanded", String(!more.hidden));
      if (!details.firstChild) details.append(make("div", {}, detailsOf(one)));
    };
    const words = [glyph(["", "▸"]), make("span", { class: "vh" }, `details of ${report.name}`)];
    const opener = button(words, click, { class: "opener", "aria-expanded": "false" });
    const version = `${report.implementation_version ?? "no version"} for ${report.minor ?? "an unknown release"}`;
    const toReport = link(`${root}implementations/${report.report}/`, version);
    const toImplementation = link(`${root}implementations/${report.implementation}/`, report.name);
    const small = make("small", {}, " ", toReport, run(report) && `, ${run(report)}`);
    const name = make("span", {}, toImplementation, small);
    const pre = report.prerelease ? make("span", { class: "chip" }, "pre-release") : null;
    return [
      make(
        "tr",
        {},
        make("td", { class: "m" }, comparedBox(report.report, `${report.name} ${report.implementation_version ?? ""}`)),
        make("th", { scope: "row", title: `${report.name} ${versionOf(report)}` }, make("div", {}, name, pre)),
        make("td", { class: "gap" }, opener, one.cells.length ? gap(one) : verdicts(report)),
        one.cells.map(cell),
      ),
      more,
    ];
  }

  function detailsOf(one) {
    const others = one.others.slice(0, MAX_ROWS).map((other) => make("li", {}, reportLink(other.report)));
    if (one.others.length > MAX_ROWS) others.push(make("li", {}, `${one.others.length - MAX_ROWS} more`));
    const summary = make("summary", {}, counted(one.others.length, "other report"));
    return [
      make("div", {}, reportLink(one.report)),
      part("Lacks ", one.lacking),
      older(one),
      lines(one.met),
      part("Nice to have ", one.nice),
      make("div", { class: "lacks" }, make("b", {}, "The report "), make("div", {}, verdicts(one.report))),
      today(one.report),
      others.length ? make("details", {}, summary, make("ul", {}, others)) : null,
    ];
  }

  const versionOf = (report) =>
    `${report.implementation_version ?? "no version"} for ${report.release ?? "an unknown release"}`;
  const reportLink = (report) =>
    link(`${root}implementations/${report.report}/`, versionOf(report), run(report) ? ` (${run(report)})` : null);

  /** An older report that supports more. */
  function older(one) {
    if (!one.older) return null;
    const word = ["All proved by ", "All supported by "][closeness(one.older)] ?? "Lacks fewer: ";
    return make("div", { class: "lacks" }, make("b", {}, word), reportLink(one.older.report));
  }

  const released = (feature) => {
    const channel = feature.standard_since === null ? "" : `, standard since ${feature.standard_since}`;
    const minors = [feature.since ?? "no release", feature.until];
    return minors.filter((one) => one !== null).join(" to ") + channel;
  };

  /** If no report matches all features, shows the number of matches for each feature. */
  function oneByOne(must, judged) {
    const within = isComplete ? "any release" : "current releases";
    const heads = ["Since", "Supported", "Unsupported", "Not stated or failed", "Not part of the release or profile"];
    heads.push("Profile not reported", `Implementations with support, ${within}`);
    const rows = must.map((feature) => {
      const found = judged.map((one) => one.cells[must.indexOf(feature)]);
      const count = (is) => found.filter(is).length;
      const claims = all.filter((report) => report.profiles.some((one) => rank(state(one, feature.place)) <= LAST_MET));
      const numbers = [
        count(isMet),
        count((one) => one.state === "unsupported"),
        count((one) => ["not-claimed", "not-stated", "failed"].includes(one.state)),
        count((one) => one.absent && !one.absent.isOfRelease),
        count((one) => one.absent?.isOfRelease),
        new Set(claims.map((report) => report.implementation)).size,
      ];
      const cells = numbers.map((number) => make("td", { class: "n" }, number));
      const name = make("th", { scope: "row" }, featureLink(feature));
      return make("tr", {}, name, make("td", { class: "d" }, released(feature)), cells);
    });
    const head = (text, at) => make("th", { scope: "col", class: at ? "n" : null }, text);
    const headRow = make("tr", {}, make("th", { scope: "col" }, "Feature"), heads.map(head));
    const table = make("table", { class: "by-feature" }, make("thead", {}, headRow), make("tbody", {}, rows));
    const reports = counted(judged.length, "report");
    const note = `Each feature alone, in the ${reports} that your choice of profile, channel and release selects.`;
    return make(
      "details",
      {},
      make("summary", {}, make("h3", {}, "Feature by feature")),
      make("p", { class: "sub" }, note),
      scrolling("Feature by feature", table),
    );
  }

  /** Explains why no report supports a feature: it is too new, or no report lists it. */
  function why(must, judged) {
    const [ofOne, ofAll] = isComplete ? ["", ""] : [" for a current release", " for current releases"];
    const sentences = must.flatMap((feature) => {
      const { place, since, until } = feature;
      const has = (one) => one.others === "not-in-release" && state(one, place) !== "not-in-release";
      const knows = all.filter((report) => report.profiles.some(has)).length;
      if (all.some((report) => report.profiles.some((one) => rank(state(one, place)) <= LAST_MET))) return [];
      const added = `${feature.feature} was added in Gateway API ${since}`;
      const none = `o report${ofOne} lists it as supported.`;
      if (since === null) return [`${feature.feature} is not part of any release, and n${none}`];
      if (until !== null) return [`${added}, and is not part of releases after ${until}. N${none}`];
      if (knows === 0) return [`${added}; no report covers that release or a newer one yet.`];
      return [`${added}. ${counted(knows, "report")}${ofAll} could list it as supported, and none does.`];
    });
    if (judged.length === 0) sentences.push("No report matches your choice of profile, channel and release.");
    return sentences.map((sentence) => make("p", {}, sentence));
  }

  function asMarkdown(query, wanted, hits, near, sentences) {
    const { must, nice } = wanted;
    const report = ({ report }) => markdown(present(versionOf(report), run(report)).join(", "));
    const names = (features) => features.map((feature) => markdown(feature.feature)).join(", ");
    const address = (path) => markdownAddress(new URL(root + path, location.href).href);
    const line = (one, more) =>
      `- [${markdown(one.report.name)}](${address(`implementations/${one.report.implementation}/`)}), [${report(one)}](${address(`implementations/${one.report.report}/`)})${more && `: ${more}`}`;
    const summary = (found) =>
      byReason(found)
        .map(([, reason, own]) => `${markdown(reason)}: ${own.map((one) => markdown(one.feature.feature)).join(", ")}`)
        .join("; ");
    const wished = (one) => (one.nice.length ? `; nice to have: ${summary(one.nice)}` : "");
    const features = present(names(must), nice.length && `nice to have: ${names(nice)}`).join("; ");
    const out = [
      `**${markdown(title.textContent)}**${features && ` by one conformance report: ${features}`}${query.length ? ` \\(${markdown(query.join(", "))}\\)` : ""}`,
      "",
    ];
    out.push(...hits.map((one) => line(one, summary(one.met) + wished(one))));
    if (near.length) out.push("", "Near misses:", "", ...near.map((one) => line(one, `lacks ${summary(one.lacking)}`)));
    out.push(...sentences.flatMap((sentence) => ["", markdown(sentence)]));
    out.push("", `[As of this search](${markdownAddress(location.href)})`);
    return `${out.join("\n")}\n`;
  }

  function headline({ must, nice }, answers, hits, conformant) {
    if (must.length + nice.length === 0) {
      if (conformant)
        return `${hits.length ? counted(hits.length, "implementation") : "No implementation"} whose report passed`;
      return `${counted(hits.length, "implementation")} ${hits.length === 1 ? "matches" : "match"}`;
    }
    if (must.length === 0) {
      return `${counted(hits.length, "implementation")} with ${nice.length === 1 ? nice[0].feature : "features that are nice to have"}`;
    }
    const number = must.length === 2 ? "both features" : `all ${must.length} features`;
    const isOfManifests = manifests.must && !manifests.count;
    const what = must.length === 1 ? must[0].feature : isOfManifests ? "everything your manifests need" : number;
    if (hits.length === 1) return `${hits[0].report.name} supports ${what}`;
    if (hits.length) return `${hits.length} implementations support ${what}`;
    const none = `No implementation supports ${what}`;
    const nearest = answers.filter((one) => one.met.length && one.lacking.length === answers[0].lacking.length);
    if (nearest.length === 0) return none;
    const names =
      nearest.length > 2 ? `${nearest.length} implementations` : listed(nearest.map((one) => one.report.name));
    return `${none}; ${names} ${nearest.length === 1 ? "lacks" : "lack"} ${nearest[0].lacking.length} of them`;
  }

  /** For each feature, the number of implementations that would still match with it. */
  function countEach({ must }, choice) {
    items.forEach((item, at) => {
      const feature = named(item.dataset.feature);
      const count = feature ? matched({ must: [...must, feature], nice: [] }, choice) : 0;
      counts[at].replaceChildren(
        String(count),
        make("span", { class: "vh" }, ` ${count === 1 ? "implementation" : "implementations"} with it`),
      );
      counts[at].title = `${counted(count, "implementation")} with it`;
      item.classList.toggle("none", count === 0);
    });
  }

  /** `1 proved with standard CRDs; 6 more with experimental CRDs installed`, or null if all ran with CRDs of the channel. */
  function byRun(hits, must, channel, isProved) {
    const others = hits.filter(({ report }) => report.channel !== channel).length;
    if (!channel || others === 0) return null;
    const own = hits.length - others;
    const fields = ["the field is", "both fields are"][must.length - 1] ?? "all fields are";
    const more = own ? "more " : "";
    return `${own || "None"} ${isProved ? "proved" : "supported"} with ${channel} CRDs; ${others} ${more}with experimental CRDs installed, though ${fields} in the ${channel} channel.`;
  }

  /** Sentences about defaults of the manifests, and about what is not part of the answer. */
  function sentencesOf(answers, hits, profile) {
    const of = answers.length;
    const sentences = manifests.defaults.map(({ feature, alternative }) => {
      const met = hits.filter(({ report }) => isMet(support(report, named(feature), profile))).length;
      return `Not counted: ${feature}, a default or an approximate equivalent: ${met} of ${of} with it, ${hits.length} of ${of} with ${alternative}.`;
    });
    const { undecided, count } = manifests;
    const more = undecided.length - MAX_NAMED;
    const listed = more > 0 ? [...undecided.slice(0, MAX_NAMED), `${more} more`] : undecided;
    if (listed.length) sentences.push(`Not part of this answer: ${listed.join(", ")}.`);
    else if (count) {
      const verb = count === 1 ? "is" : "are";
      sentences.push(
        `${counted(count, "setting")} of the manifests ${verb} not part of this answer; \`gwconform needs\` lists them.`,
      );
    }
    return sentences;
  }

  /** Drops a condition of the manifests. What they leave open stays open. */
  function relax() {
    unknownNames = [];
    const defaults = manifests.defaults.filter(({ alternative }) => chosen("must").includes(alternative));
    manifests = { ...manifests, defaults, must: null };
    show("pushState");
  }

  /** Searches for the user's choice, which is no longer that of the manifests. */
  function change() {
    unknownNames = [];
    manifests = NO_MANIFESTS;
    show();
  }

  /** Shows the answer. The method adds it to the history, or replaces the last one. */
  function show(method) {
    const { profile, channel, scope } = Object.fromEntries(
      ["profile", "channel", "scope"].map((name) => [name, form.elements[name].value]),
    );
    const [conformant, mesh] = ["conformant", "mesh"].map((name) => form.elements[name].checked);
    const choice = { profile, channel, scope, conformant, mesh };
    const [must, nice] = ["must", "nice"].map((list) => present(chosen(list).map(named)));
    const wanted = { must, nice };
    const yes = (isOn) => (isOn ? "yes" : "");
    const values = {
      must: chosen("must").sort().join(","),
      nice: chosen("nice").sort().join(","),
      profile,
      channel,
      scope,
      conformant: yes(conformant),
      mesh: yes(mesh),
      profiles: profiles.join(","),
      left_out: manifests.count || "",
    };
    keep(values, method);
    shown = location.search;
    showChosen(wanted);
    if (scope === "all" && !isComplete) {
      searchOlder();
      return;
    }
    const judged = judgeAll(wanted, choice);
    const answers = byImplementation(judged, choice);
    countEach(wanted, choice);
    const unknown = unknownNames.length
      ? make("p", { class: "note" }, `Unknown and ignored: ${unknownNames.join(", ")}.`)
      : null;
    const hits = answers.filter((one) => isHit(one, wanted));
    const sentences = sentencesOf(answers, hits, profile);
    const notes = sentences.map((sentence) => make("p", { class: "note" }, prose(sentence)));
    if (!isQuestion(wanted, choice)) {
      title.textContent = manifests.must ? "Your manifests need no feature that reports list" : "No features selected";
      results.replaceChildren(...present(unknown, notes, examples));
      return;
    }
    const near = answers.filter((one) => one.met.length > 0 && one.lacking.length > 0 && one.lacking.length <= NEAR);
    const answer = headline(wanted, answers, hits, conformant);
    title.textContent = manifests.count ? `Of what was read: ${answer.replace(/^No /, "no ")}` : answer;
    const query = present(
      profile,
      listed(profileNames()),
      channel && `${channel} channel`,
      mesh && "also a mesh",
      `${conformant ? "passed reports" : "reports"} for ${scope === "all" ? "all releases" : scope === "newest" ? newest : [...current].join(", ")}`,
    );
    const proved = hits.filter((one) => one.worst <= LAST_PROVED).length;
    const [first] = hits;
    const proof =
      proved === hits.length
        ? proved === 1
          ? "Proved by its tests"
          : "All proved by tests"
        : hits.length === 1 && first.proved
          ? `${first.proved} of the ${must.length} features are proved by its tests`
          : proved === 0
            ? `Not ${first.proved ? "all " : ""}proved by tests`
            : `${proved} of them proved by tests`;
    const runs = byRun(hits, must, channel, proved === hits.length);
    const isSaid = runs && proved === hits.length;
    const proofs = present(hits.length && must.length && !isSaid && `${proof}.`, runs);
    const summary = [...proofs, `Searched: ${query.join(", ")}.`].join(" ");
    const isNone = hits.length === 0;
    const actions = [
      copier("Copy link", () => location.href),
      copier("Copy as Markdown", () => asMarkdown(query, wanted, hits, near, sentences)),
      link(`${root}about/#signs`, "What the symbols mean"),
    ];
    results.replaceChildren(
      ...present(
        unknown,
        make("p", { class: "sub" }, summary),
        isNone ? why(must, judged) : [],
        relaxed(wanted, choice, answers, hits.length),
        answers.length && matrix(must.length ? answers : hits, wanted),
        notes,
        isNone && must.length > 0 && judged.length > 0 && oneByOne(must, judged),
        make("p", { class: "actions" }, actions),
      ),
    );
    announcement.textContent = `${title.textContent}. ${[...sentences, summary].join(" ")}`;
  }

  // Selected features, each with a button to remove it.
  const above = form.querySelector(".chosen");
  function showChosen(wanted) {
    const chip = ([label, name, drop]) => {
      const [cross, words] = [make("span", { "aria-hidden": "true" }, " ×"), `, drop ${name}`];
      return make("li", {}, button([label, cross, make("span", { class: "vh" }, words)], drop, { title: name }));
    };
    const chips = (id, heading, all) => {
      if (all.length === 0) return [];
      const name = make("p", { id: `chosen-${id}` }, heading);
      return [name, make("ul", { class: "chips", "aria-labelledby": name.id }, all.map(chip))];
    };
    const ofList = (list) =>
      wanted[list].map((feature) => {
        const drop = ({ currentTarget }) => {
          const at = [...above.querySelectorAll("button")].indexOf(currentTarget);
          boxes[list].find((box) => box.value === feature.feature).checked = false;
          change();
          const left = above.querySelectorAll("button");
          (left[Math.min(at, left.length - 1)] ?? form.elements.feature).focus();
        };
        return [feature.label, feature.feature, drop];
      });
    const dropProfiles = () => {
      profiles = [];
      change();
      form.elements.profile.focus();
    };
    const names = listed(profileNames());
    above.replaceChildren(
      ...chips("profiles", "For the Routes of your manifests", names ? [[names, names, dropProfiles]] : []),
      ...chips("must", "Must have", ofList("must")),
      ...chips("nice", "Nice to have", ofList("nice")),
    );
  }

  // Live regions are announced only if they exist before their text changes.
  const announcement = make("p", { class: "vh", role: "status" });
  side.append(announcement);
  let unknownNames = [];
  let shown = null;

  /**
   * Profiles required by the manifests. `any` is a placeholder: without it, a single name also selects its family.
   */
  const profileNames = () => profiles.filter((name) => name !== "any");

  /** Replaces all conditions with those of `gwconform needs`. */
  function ask(question, method) {
    // Without a feature that reports list, the query is empty, and the page searches for nothing.
    const asked = new URLSearchParams(question.query);
    const list = (name) => asked.get(name)?.split(",") ?? [];
    const must = list("must");
    for (const box of boxes.must) box.checked = must.includes(box.value);
    for (const box of boxes.nice) box.checked = false;
    form.elements.conformant.checked = asked.get("conformant") === "yes";
    form.elements.mesh.checked = false;
    form.elements.profile.value = "";
    form.elements.scope.value = "";
    form.elements.channel.value = asked.get("channel") ?? "";
    profiles = list("profiles");
    unknownNames = must.filter((name) => !boxes.must.some((box) => box.value === name));
    manifests = { ...question, count: Number(asked.get("left_out")) };
    arrange(true);
    show(method);
  }

  /** Sets the conditions to those of the URL. */
  function readAddress() {
    unknownNames = [];
    for (const list of ["must", "nice"]) {
      const asked = kept(list)
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name);
      for (const [at, box] of boxes[list].entries()) {
        const isFree = list === "must" || !boxes.must[at].checked;
        box.checked = asked.includes(box.value) && isFree;
      }
      unknownNames.push(...asked.filter((name) => !boxes[list].some((box) => box.value === name)));
    }
    for (const name of ["profile", "channel", "scope"]) {
      const field = form.elements[name];
      const was = kept(name);
      const isThere = [...field.options].some((option) => option.value === was);
      field.value = isThere ? was : "";
      if (!isThere) unknownNames.push(`${name} ${was}`);
    }
    for (const name of ["conformant", "mesh"]) form.elements[name].checked = kept(name) === "yes";
    const asked = kept("profiles").split(",");
    profiles = asked.filter((name) => name === "any" || name in core);
    if (profileNames().length === 0) profiles = [];
    unknownNames.push(...asked.filter((name) => name && !profiles.includes(name)).map((name) => `profiles ${name}`));
    const count = kept("left_out");
    const isCount = /^[1-9]\d{0,5}$/.test(count);
    manifests = isCount ? { ...NO_MANIFESTS, count: Number(count) } : NO_MANIFESTS;
    if (count && !isCount) unknownNames.push(`left_out ${count}`);
  }

  function begin(data) {
    all = reports(data);
    features = data.features.map((feature, at) => ({ ...feature, place: at }));
    releases = data.releases;
    implementations = data.implementations;
    absence = absences(data, marks);
    current = new Set(data.current_minors);
    newest = data.current_minors[0];
    putBoxes();
    keepCompared((one) => !isComplete || all.some((report) => report.report === one));
    readAddress();
    gwconform.ask = ask;
    if (gwconform.question) ask(gwconform.question);
    else show();
    form.addEventListener("change", (event) => {
      if (event.target.name !== "feature") change();
    });
    addEventListener("popstate", () => {
      // A fragment changes nothing.
      if (location.search === shown) return;
      readAddress();
      arrange(isAsked());
      show();
      gwconform.again?.();
    });
  }

  form.elements.feature.addEventListener("input", narrow);
  // Enter selects the first remaining feature.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = items.findIndex((item, nth) => !item.hidden && !boxes.must[nth].checked);
    if (form.elements.feature.value.trim() === "" || at < 0) return;
    boxes.must[at].click();
    form.elements.feature.value = "";
    narrow();
  });
  side.hidden = false;
  load(place.dataset.source, results, begin);
})();
