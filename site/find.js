// Find: which reports support all selected features. One report must have them all: features are
// never combined across reports.

(() => {
  const { make, counted, visible, keep, kept, markdown, markdownAddress, copier, load, reports, state, glyph } =
    gwconform;
  const place = document.getElementById("find");
  const form = place.querySelector("form");
  const side = place.querySelector(".answer-side");
  const title = side.querySelector("h2");
  const results = side.querySelector(".results");
  const examples = [...results.childNodes];
  const marks = JSON.parse(place.dataset.marks);

  // The search of the first page: those implementations and features that have all its words.
  function search() {
    const section = document.querySelector(".searched");
    const list = section.querySelector("ul");
    const query = kept("q").trim();
    const words = query.toLowerCase().split(/\s+/);
    const fits = (item) => words.every((word) => item.dataset.q.includes(word));
    section.querySelector(".again").hidden = false;
    section.querySelector("input").value = query;
    const implementations = [...list.children];
    const found = query
      ? [
          ...implementations.filter(fits),
          ...[...place.querySelectorAll("[data-feature]")].filter(fits).map((item) => {
            const { href } = item.querySelector("a");
            return make("li", {}, make("a", { href }, item.dataset.feature), " ", make("small", {}, "feature"));
          }),
        ]
      : [];
    list.replaceChildren(...found);
    const title = section.querySelector("h2");
    title.textContent = found.length
      ? `${counted(found.length, "result")} for “${visible(query)}”`
      : `Nothing is named “${visible(query)}”`;
    title.hidden = !query;
    list.hidden = found.length === 0;
  }
  search();
  const root = place.dataset.root;
  const MAX_LACKING = 2;
  // Better ones first; all up to `skipped` are claims.
  const ORDER = marks.ranked;
  const rank = (one) => ORDER.indexOf(one);
  const LAST_PROVED = rank("proved-by-log");
  const LAST_UNSEEN = rank("not-seen");
  const LAST_MET = rank("skipped");
  const SHORT = { proved: "proved", skipped: "tests skipped" };
  const word = (one) => SHORT[one] ?? marks.states[one][2];

  let all = [];
  let features = [];
  let current = new Set();
  let newest = null;

  // The checklist: the names become labels of boxes.
  const items = [...place.querySelectorAll("[data-feature]")];
  let boxes = [];
  function putBoxes() {
    boxes = items.map((item, at) => {
      const name = item.querySelector(".name");
      const box = make("input", {
        type: "checkbox",
        name: "must",
        value: item.dataset.feature,
        id: `must-${at}`,
        "aria-describedby": `name-${at}`,
      });
      item.querySelector("code").id = `name-${at}`;
      name.replaceWith(make("label", { for: box.id }, box, ` ${name.textContent}`));
      return box;
    });
    form.append(place.querySelector(".checklist"));
    form.hidden = false;
    place.classList.add("live");
    title.tabIndex = -1;
  }

  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const named = (name) => features.find((feature) => feature.feature === name);

  function narrow() {
    const words = form.elements.feature.value.trim().toLowerCase().split(/\s+/);
    for (const item of items) item.hidden = !words.every((one) => item.dataset.q.includes(one));
    for (const kind of place.querySelectorAll(".kind")) {
      kind.hidden = [...kind.querySelectorAll("[data-feature]")].every((item) => item.hidden);
    }
    const left = items.filter((item) => !item.hidden).length;
    form.querySelector(".found").textContent =
      words[0] === "" ? "" : left === 0 ? "No feature matches" : counted(left, "feature");
  }

  /** The best that a report says of a feature, and in which of its profiles. */
  function supportIn(report, feature, profile) {
    const inside = (one) => state(one, feature.place) !== "not-in-release";
    const asked = report.profiles.filter((one) => one.profile === profile && inside(one));
    const ofFamily = ({ profile: name }) => !profile || name.startsWith("MESH") === profile.startsWith("MESH");
    const among = asked.length > 0 ? asked : report.profiles.filter(ofFamily);
    let best = { state: "not-stated", in: null };
    for (const one of among) {
      const found = state(one, feature.place);
      if (best.in === null || rank(found) < rank(best.state)) {
        best = { state: found, in: one, text: one.texts[feature.place] };
      }
    }
    const isGone =
      best.state === "not-in-release" && feature.until !== null && minorOf(report.minor) > minorOf(feature.until);
    const removed = isGone ? `not part of ${report.release}, until ${feature.until}` : null;
    return { feature, removed, ...best };
  }

  /** What a report says of all features: those it meets, better ones first, and those it lacks. */
  function judge(report, must, profile) {
    const found = must.map((feature) => supportIn(report, feature, profile));
    const met = found.filter((one) => rank(one.state) <= LAST_MET);
    const lacking = found.filter((one) => rank(one.state) > LAST_MET);
    const worst = Math.max(...met.map((one) => rank(one.state)), 0);
    return { report, met, lacking, worst, proved: met.filter((one) => rank(one.state) <= LAST_PROVED).length };
  }

  const isMesh = ({ profile, status }) => /^MESH(-|$)/.test(profile) && /^(conformant|partial)$/.test(status);
  const isIn = (report, scope) =>
    scope === "all" || (scope === "newest" ? report.minor === newest : current.has(report.minor));

  function judgeAll(must, { profile, channel, scope, conformant, mesh }) {
    const inScope = all.filter((report) => isIn(report, scope));
    const meshes = new Set(inScope.filter((one) => one.profiles.some(isMesh)).map((one) => one.implementation));
    const asked = inScope.filter(
      (report) =>
        (!mesh || meshes.has(report.implementation)) &&
        (!conformant ||
          report.profiles.some((one) => one.status === "conformant" && (!profile || one.profile === profile))) &&
        (!channel || report.channel === channel) &&
        (!profile || report.profiles.some((one) => one.profile === profile)),
    );
    return asked.map((report) => judge(report, must, profile));
  }

  /** When no report has them all: the results with one condition relaxed. */
  function relaxed(must, choice) {
    const offers = [
      ["channel", "", "any channel"],
      ["profile", "", "any profile"],
      ["scope", "all", "reports of all releases"],
    ];
    const found = offers.flatMap(([name, value, words]) => {
      if (choice[name] === value) return [];
      const judged = judgeAll(must, { ...choice, [name]: value }).filter((one) => one.lacking.length === 0);
      const count = new Set(judged.map((one) => one.report.implementation)).size;
      const click = () => {
        form.elements[name].value = value;
        show();
        title.focus();
      };
      return count
        ? [
            make(
              "li",
              {},
              make("button", { type: "button", click }, `With ${words}: ${counted(count, "implementation")}`),
            ),
          ]
        : [];
    });
    return found.length ? make("ul", { class: "chips", "aria-label": "Relax a condition" }, found) : null;
  }

  /** By implementation: the best report of each, and its others. */
  function byImplementation(judged, better) {
    const groups = new Map();
    for (const one of judged) {
      const group = groups.get(one.report.implementation) ?? [];
      group.push(one);
      groups.set(one.report.implementation, group);
    }
    const best = [...groups.values()].map((group) => {
      group.sort(better);
      return { ...group[0], others: group.slice(1) };
    });
    return best.sort((a, b) => better(a, b, true) || (a.report.name < b.report.name ? -1 : 1));
  }

  // Newer reports stand later in the data. Between implementations the minor counts, not the place.
  const newer = (a, b, isBetween) => (isBetween ? minor(b.report) - minor(a.report) : b.report.place - a.report.place);
  const better = (a, b, isBetween) => a.worst - b.worst || newer(a, b, isBetween);
  const nearer = (a, b, isBetween) =>
    a.lacking.length - b.lacking.length || a.worst - b.worst || newer(a, b, isBetween);
  const minor = (report) => minorOf(report.minor);
  const minorOf = (version) => {
    const [, major, rest] = /^v(\d+)\.(\d+)/.exec(version ?? "") ?? [0, 0, 0];
    return Number(major) * 10000 + Number(rest);
  };

  const link = (href, ...inside) => make("a", { href }, ...inside);
  const featureLink = (feature) => (feature.page ? link(root + feature.page, feature.label) : feature.label);
  const run = (report) => [report.channel, report.mode].filter((one) => one !== null).join(", ");

  /** `● proved: CORS, Request Mirror`, one line for each state. */
  function lines(found) {
    const states = ORDER.filter((one) => found.some((other) => other.state === one));
    return states.map((one) => {
      const own = found.filter((other) => other.state === one);
      const names = own.flatMap((other, at) => [
        at ? ", " : "",
        featureLink(other.feature),
        other.text && rank(one) > LAST_UNSEEN ? make("small", { class: "tests" }, ` ${testsOf(other.text)}`) : null,
        other.removed ? make("small", { class: "tests" }, ` (${other.removed})`) : null,
      ]);
      const [name, sign] = marks.states[one];
      return make(
        "div",
        { class: "states" },
        glyph([name, sign]),
        make("span", { class: name }, ` ${word(one)}: `),
        ...names,
      );
    });
  }

  // `supported, 1 of 3 tests skipped: A` has the words of the mark, which stand before it.
  const testsOf = (text) => `(${text.replace(/^(supported|claimed)[,;] /, "")})`;

  function profiles(report) {
    return report.profiles.flatMap((one, at) => {
      const mark = marks.statuses[one.status];
      const name = one.profile.replace(/^GATEWAY-/, "").replace(/^MESH-/, "Mesh ") || "no name";
      return [
        at ? " " : null,
        make("span", { class: "prof" }, glyph(mark), make("span", { class: "vh" }, mark[2]), ` ${name}`),
      ];
    });
  }

  function row(one, note) {
    const { report } = one;
    const others = one.others.length
      ? make(
          "details",
          {},
          make("summary", {}, `${counted(one.others.length, "other report")}`),
          make(
            "ul",
            {},
            one.others.map((other) => make("li", {}, reportLink(other.report))),
          ),
        )
      : null;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, link(`${root}implementations/${report.implementation}/`, report.name), others),
      make(
        "td",
        {},
        reportLink(report, false),
        run(report) ? make("small", {}, run(report)) : null,
        make("small", {}, profiles(report)),
      ),
      make(
        "td",
        {},
        lines(one.met),
        one.lacking.length ? make("div", { class: "lacks" }, make("b", {}, "Lacks "), lines(one.lacking)) : null,
        note,
      ),
    );
  }

  const reportLink = (report, isWhole = true) =>
    link(
      `${root}implementations/${report.report}/`,
      `${report.implementation_version ?? "no version"} for ${report.release ?? "an unknown release"}`,
      isWhole && run(report) ? ` (${run(report)})` : null,
    );

  /** A report of the same kind that came later and no longer meets all. */
  function lost(one, judged) {
    const after = judged.filter(
      ({ report }) =>
        report.implementation === one.report.implementation &&
        report.channel === one.report.channel &&
        report.mode === one.report.mode &&
        report.place > one.report.place,
    );
    const last = after[after.length - 1];
    if (!last || last.lacking.length === 0) return null;
    return make(
      "div",
      { class: "lacks" },
      make("b", {}, "Its newer report "),
      reportLink(last.report),
      " lacks ",
      last.lacking.flatMap((other, at) => [at ? ", " : "", featureLink(other.feature)]),
    );
  }

  function table(name, rows) {
    return make(
      "div",
      { class: "scroll" },
      make(
        "table",
        { class: "hits" },
        make("caption", { class: "vh" }, name),
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ["Implementation", "Report", "Results"].map((head) => make("th", { scope: "col" }, head)),
          ),
        ),
        rows,
      ),
    );
  }

  const GROUPS = [
    ["proved", "Proved: all tests of these features were seen to pass"],
    ["unseen", "Result not seen: the report was written before some or all of the tests finished"],
    ["claimed", "Claimed: some features untested"],
    ["skipped", "Some tests skipped"],
  ];
  const groupOf = (one) => {
    if (one.worst <= LAST_PROVED) return "proved";
    if (one.worst <= LAST_UNSEEN) return "unseen";
    return one.worst < LAST_MET ? "claimed" : "skipped";
  };

  const released = (feature) =>
    [feature.since ?? "no release", feature.until].filter((one) => one !== null).join(" to ");

  /** Feature by feature, where no report has all: what each of them costs. */
  function oneByOne(must, judged) {
    const rows = must.map((feature) => {
      const found = judged.map((one) => [...one.met, ...one.lacking].find((other) => other.feature === feature));
      const count = (...states) => found.filter((one) => states.includes(one.state)).length;
      const claims = all.filter((report) => report.profiles.some((one) => rank(state(one, feature.place)) <= LAST_MET));
      const claimants = new Set(claims.map((report) => report.implementation)).size;
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, featureLink(feature)),
        make("td", { class: "d" }, released(feature)),
        make("td", { class: "n" }, found.filter((one) => rank(one.state) <= LAST_MET).length),
        make("td", { class: "n" }, count("unsupported")),
        make("td", { class: "n" }, count("not-claimed", "not-stated", "failed")),
        make("td", { class: "n" }, count("not-in-release")),
        make("td", { class: "n" }, claimants),
      );
    });
    const heads = [
      ["Feature"],
      ["Since"],
      ["Supported", "n"],
      ["Unsupported", "n"],
      ["Not stated or failed", "n"],
      ["Not in the profile", "n"],
      ["Ever claimed by (implementations)", "n"],
    ];
    return [
      make("h3", {}, "Feature by feature"),
      make(
        "p",
        { class: "sub" },
        `Each feature alone, in the ${counted(judged.length, "report")} that your choice of profile, channel and release selects.`,
      ),
      make(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Feature by feature" },
        make(
          "table",
          {},
          make(
            "thead",
            {},
            make(
              "tr",
              {},
              heads.map(([head, name]) => make("th", { scope: "col", class: name }, head)),
            ),
          ),
          make("tbody", {}, rows),
        ),
      ),
    ];
  }

  /** Why no report supports a feature: it is too new, or it was never claimed. */
  function why(must, judged) {
    const sentences = must.flatMap((feature) => {
      const knows = all.filter((report) =>
        report.profiles.some(
          (one) => one.others === "not-in-release" && state(one, feature.place) !== "not-in-release",
        ),
      );
      const claims = all.some((report) => report.profiles.some((one) => rank(state(one, feature.place)) <= LAST_MET));
      if (claims) return [];
      if (feature.since === null) return [`${feature.feature} is not part of any release, and no report claims it.`];
      if (feature.until !== null)
        return [
          `${feature.feature} was added in Gateway API ${feature.since}, and is not part of releases after ${feature.until}. No report claims it.`,
        ];
      if (knows.length === 0)
        return [
          `${feature.feature} was added in Gateway API ${feature.since}; no report covers that release or a newer one yet.`,
        ];
      return [
        `${feature.feature} was added in Gateway API ${feature.since}. ${counted(knows.length, "report")} could claim it, and none does.`,
      ];
    });
    if (judged.length === 0) sentences.push("No report matches your choice of profile, channel and release.");
    return sentences.map((sentence) => make("p", {}, sentence));
  }

  function asMarkdown(query, must, hits, near) {
    const report = ({ report }) =>
      `${markdown(report.implementation_version ?? "no version")} for ${markdown(report.release ?? "an unknown release")}${run(report) ? `, ${markdown(run(report))}` : ""}`;
    const address = (path) => markdownAddress(new URL(root + path, location.href).href);
    const line = (one, more) =>
      `- [${markdown(one.report.name)}](${address(`implementations/${one.report.implementation}/`)}), [${report(one)}](${address(`implementations/${one.report.report}/`)}): ${more}`;
    const summary = (found) =>
      ORDER.filter((name) => found.some((one) => one.state === name))
        .map(
          (name) =>
            `${word(name)}: ${found
              .filter((one) => one.state === name)
              .map((one) => markdown(one.feature.feature) + (one.removed ? ` \\(${markdown(one.removed)}\\)` : ""))
              .join(", ")}`,
        )
        .join("; ");
    const out = [
      `**${markdown(headline(must, hits))}** by one conformance report: ${must.map((feature) => markdown(feature.feature)).join(", ")}${query.length ? ` \\(${markdown(query.join(", "))}\\)` : ""}`,
      "",
    ];
    out.push(...hits.map((one) => line(one, summary(one.met))));
    if (near.length) out.push("", "Near misses:", "", ...near.map((one) => line(one, `lacks ${summary(one.lacking)}`)));
    out.push("", `[As of this search](${markdownAddress(location.href)})`);
    return `${out.join("\n")}\n`;
  }

  function headline(must, hits) {
    const what =
      must.length === 1 ? must[0].feature : must.length === 2 ? "both features" : `all ${must.length} features`;
    if (hits.length === 0) return `No implementation supports ${what}`;
    return `${counted(hits.length, "implementation")} ${hits.length === 1 ? "supports" : "support"} ${what}`;
  }

  function show() {
    const { profile, channel, scope } = Object.fromEntries(
      ["profile", "channel", "scope"].map((name) => [name, form.elements[name].value]),
    );
    const [conformant, mesh] = ["conformant", "mesh"].map((name) => form.elements[name].checked);
    const choice = { profile, channel, scope, conformant, mesh };
    const must = chosen()
      .map(named)
      .filter((feature) => feature);
    const yes = (isOn) => (isOn ? "yes" : "");
    keep({ must: chosen().join(","), profile, channel, scope, conformant: yes(conformant), mesh: yes(mesh) });
    const unknown = unknownNames.length
      ? make("p", { class: "note" }, `Unknown and ignored: ${unknownNames.join(", ")}.`)
      : null;
    if (must.length === 0) {
      title.textContent = "No features selected";
      results.replaceChildren(...[unknown, ...examples].filter((one) => one));
      return;
    }
    const judged = judgeAll(must, choice);
    const hits = byImplementation(
      judged.filter((one) => one.lacking.length === 0),
      better,
    );
    const isHit = new Set(hits.map((one) => one.report.implementation));
    const near = byImplementation(
      judged.filter(
        (one) =>
          one.met.length > 0 &&
          one.lacking.length > 0 &&
          one.lacking.length <= MAX_LACKING &&
          !isHit.has(one.report.implementation),
      ),
      nearer,
    );
    title.textContent = headline(must, hits);
    const query = [
      profile,
      channel && `${channel} channel`,
      conformant && "conformant",
      mesh && "also a mesh",
      scope === "all" ? "all releases" : `reports for ${scope === "newest" ? newest : [...current].join(", ")}`,
    ].filter((one) => one);
    const proved = hits.filter((one) => one.worst === 0).length;
    const proof =
      proved === hits.length
        ? proved === 1
          ? "Proved by its tests"
          : "All proved by tests"
        : proved === 0
          ? "Not proved by tests"
          : `${proved} of them proved by tests`;
    const summary = [
      hits.length ? `${proof}.` : null,
      near.length ? `${counted(near.length, "near miss").replace(/misss$/, "misses")}.` : null,
      `Searched: ${query.join(", ")}.`,
    ]
      .filter((one) => one)
      .join(" ");
    const bodies = GROUPS.flatMap(([group, name]) => {
      const own = hits.filter((one) => groupOf(one) === group);
      return own.length
        ? [
            make(
              "tbody",
              {},
              make("tr", { class: "g" }, make("th", { scope: "rowgroup", colspan: "3" }, `${name} (${own.length})`)),
              own.map((one) => row(one, lost(one, judged))),
            ),
          ]
        : [];
    });
    results.replaceChildren(
      ...[
        unknown,
        make("p", { class: "sub" }, summary),
        chips(must),
        hits.length ? table("Implementations that support all selected features", bodies) : null,
        ...(hits.length === 0 ? [...why(must, judged), relaxed(must, choice)] : []),
        near.length ? make("h3", {}, `Near misses (${near.length})`) : null,
        near.length
          ? table("Implementations that lack one or two of the selected features", [
              make(
                "tbody",
                {},
                near.map((one) => row(one)),
              ),
            ])
          : null,
        ...(hits.length === 0 && judged.length > 0 ? oneByOne(must, judged) : []),
        make(
          "p",
          { class: "actions" },
          copier("Copy link", () => location.href),
          copier("Copy as Markdown", () => asMarkdown(query, must, hits, near)),
        ),
      ].filter((one) => one),
    );
    announcement.textContent = `${title.textContent}. ${summary}`;
  }

  /** The selected features, each with a button that drops it. */
  function chips(must) {
    const drop = (feature, at) => () => {
      boxes.find((box) => box.value === feature.feature).checked = false;
      show();
      const left = results.querySelectorAll(".chips button");
      (left[Math.min(at, left.length - 1)] ?? form.elements.feature).focus();
    };
    return make(
      "ul",
      { class: "chips", "aria-label": "Chosen features" },
      must.map((feature, at) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", title: feature.feature, click: drop(feature, at) },
            feature.label,
            make("span", { "aria-hidden": "true" }, " ×"),
            make("span", { class: "vh" }, `, drop ${feature.feature}`),
          ),
        ),
      ),
    );
  }

  // One region that is there from the start, so that it is read when its text changes.
  const announcement = make("p", { class: "vh", role: "status" });
  side.append(announcement);
  let unknownNames = [];

  function begin(data) {
    all = reports(data);
    for (const [at, report] of all.entries()) report.place = at;
    features = data.features.map((feature, at) => ({ ...feature, place: at }));
    current = new Set(data.current_minors);
    newest = data.current_minors.toSorted((a, b) => minorOf(b) - minorOf(a))[0];
    putBoxes();
    const asked = kept("must")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name);
    for (const box of boxes) box.checked = asked.includes(box.value);
    unknownNames = asked.filter((name) => !boxes.some((box) => box.value === name));
    for (const name of ["profile", "channel", "scope"]) {
      const field = form.elements[name];
      const was = kept(name);
      if ([...field.options].some((option) => option.value === was)) field.value = was;
    }
    for (const name of ["conformant", "mesh"]) form.elements[name].checked = kept(name) === "yes";
    show();
    form.addEventListener("change", (event) => {
      if (event.target.name === "feature") return;
      unknownNames = [];
      show();
    });
  }

  form.elements.feature.addEventListener("input", narrow);
  form.addEventListener("submit", (event) => event.preventDefault());
  side.hidden = false;
  load(place.dataset.source, results, begin);
})();
