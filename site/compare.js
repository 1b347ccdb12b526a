// Compare page: reports side by side. Rows without differences are collapsed. Implementations are compared by reports
// for one release and channel, if there are any.

(() => {
  const { absences, make, counted, keep, markdown, markdownAddress, copier, differences, load, reports, state, glyph } =
    gwconform;
  const place = document.getElementById("compare");
  const form = place.querySelector("form");
  const results = place.querySelector(".results");
  const example = place.querySelector(".example");
  const marks = JSON.parse(place.dataset.marks);
  const root = place.dataset.root;
  const MAX_COLUMNS = 12;
  const MOST_NAMED = 3;
  const rank = (name) => marks.order.indexOf(name);
  const LAST_CLAIM = rank("failed");
  // A report with one of these says nothing about a feature, and silence is not a no.
  const SILENT = ["not-in-release", "not-stated"];
  // Rows by what differs. Silent reports are not compared.
  const [SUPPORT, PROOF, UNREPORTED, SAME] = [0, 1, 2, 3];

  const choices = [...form.elements.add.options].filter((option) => option.value);
  const basis = new Map(choices.map((option) => [option.value, option.dataset.report]));
  let all = [];
  let features = [];
  let releases = {};
  let absence = () => null;
  let byId = new Map();
  let currentMinors = [];
  /** Implementation and, if it was chosen, the report of each column. */
  let chosen = [];
  /** Reports of the columns. */
  let columns = [];
  let unknown = [];

  const inAddress = ({ implementation, report }) => report?.report ?? implementation;
  const usual = ({ implementation, report }) => report ?? byId.get(basis.get(implementation));
  const SOUND = ["conformant", "partial"];
  const order = new Intl.Collator("en", { numeric: true });
  const newestFirst = (a, b) => order.compare(b, a);

  /**
   * Reports of the columns: the newest current minor, and in it the channel, that all implementations report. The usual
   * channel of most of them comes first. Without a minor in common, the usual reports.
   */
  function comparable() {
    const own = chosen.map((column) => {
      const { implementation, report } = column;
      if (report) return [report];
      const isSound = ({ profiles }) => profiles.some(({ status }) => SOUND.includes(status));
      return all.filter((one) => one.implementation === implementation && isSound(one));
    });
    const common = (key) => {
      const keys = own.map((reports) => new Set(reports.map(key)));
      return [...(keys[0] ?? [])].filter((one) => keys.every((set) => set.has(one)));
    };
    const votes = (channel) => chosen.filter((column) => usual(column).channel === channel).length;
    const isMeant = (minor) => currentMinors.includes(minor) || chosen.every((one) => usual(one).minor === minor);
    const [minor] = common((one) => one.minor)
      .filter(isMeant)
      .sort(newestFirst);
    if (!minor || chosen.length < 2) return chosen.map(usual);
    const channels = common((one) => (one.minor === minor ? one.channel : null)).filter((one) => one);
    const [channel] = channels.sort((a, b) => votes(b) - votes(a) || (a < b ? 1 : -1));
    return chosen.map((column, at) => {
      const fits = (one) => one.minor === minor && (!channel || one.channel === channel);
      const best = own[at].filter(fits).sort((a, b) => a.preference - b.preference)[0];
      return fits(usual(column)) ? usual(column) : best;
    });
  }

  const areSame = (field) => new Set(columns.map((report) => report[field])).size < 2;
  const isFree = () => chosen.some(({ report }) => report === null);

  /** What the newest report of an implementation supports of the features that its report here lacks. */
  function inNewest(groups) {
    return chosen.flatMap((column, at) => {
      const newest = usual(column);
      if (newest === columns[at]) return [];
      const isNew = ({ family, rows }) =>
        rows.filter(({ feature, cells }) => {
          const is = (cell) => !isSilent(cell) && isClaim(cell);
          return !is(cells[at]) && is(statesOf(newest, family, features.indexOf(feature)));
        });
      const count = groups.filter(({ order }) => order === SUPPORT).flatMap(isNew).length;
      const what = counted(count, "feature");
      return count ? [`${newest.name} ${title(newest)} supports ${what} that it lacks here. `] : [];
    });
  }

  /** Links newer reports if the release in common is not the newest. */
  function newerNote(groups) {
    const newest = chosen.map(usual);
    const { minor } = columns[0];
    if (!areSame("minor") || newest.every((one) => newestFirst(one.minor, minor) >= 0)) return null;
    const query = newest.map(({ report }) => `i=${report}`).join("&");
    return make(
      "p",
      { class: "note" },
      `${minor} is the newest release in all of their reports. `,
      inNewest(groups),
      link(`?${query}`, "Compare the newest reports"),
      ".",
    );
  }

  const title = (report) =>
    `${report.implementation_version ?? "no version"} for ${report.release ?? "an unknown release"}`;
  const run = (report) => [report.channel, report.mode].filter((one) => one !== null).join(", ");
  const link = (href, ...inside) => make("a", { href }, ...inside);

  /** The distinct states of a feature in the profiles of a family, with the profiles in each state. */
  function statesOf(report, family, place) {
    const states = new Map();
    const own = report.profiles.filter((profile) => profile.family === family);
    for (const profile of own) {
      const found = state(profile, place);
      const entry = states.get(found) ?? { state: found, profiles: [], texts: new Set() };
      entry.profiles.push(profile.profile);
      if (profile.texts[place]) entry.texts.add(profile.texts[place]);
      states.set(found, entry);
    }
    // Ignore profiles that say nothing about the feature if another profile does.
    for (const silent of SILENT) if (states.size > 1) states.delete(silent);
    const why = absence(report, place, family)?.text;
    for (const one of states.values()) {
      one.word = (one.state === "not-in-release" && why) || marks.states[one.state][2];
    }
    return [...states.values()].sort((a, b) => rank(a.state) - rank(b.state));
  }

  const short = (profile) => profile.replace(/^(GATEWAY|MESH)-/, "");

  /** Cell text: `supported`, or `supported (HTTP); supported, tests skipped (GRPC)`. */
  const words = (cell) =>
    cell.length === 0
      ? "profile not reported"
      : cell.map((one) => one.word + (cell.length > 1 ? ` (${one.profiles.map(short).join(", ")})` : "")).join("; ");

  /** A line: the best state in words, and of the others the symbols and profiles. */
  function cellOf(cell) {
    if (cell.length === 0) return make("td", { class: "absent" }, glyph(["absent", "·"]), " ", "profile not reported");
    const lines = cell.map((one, at) => {
      const mark = marks.states[one.state];
      const texts = [...one.texts].join("; ");
      const names = cell.length > 1 ? make("small", {}, ` ${one.profiles.map(short).join(", ")} `) : null;
      const word = make("span", { class: at ? "vh" : null }, ` ${one.word}`);
      const said = texts ? make("span", { class: "vh" }, `: ${texts}`) : null;
      return make("span", { class: mark[0], title: texts || one.word }, glyph(mark), word, names, said);
    });
    return make("td", { class: marks.states[cell[0].state][0] }, lines);
  }

  const withFamily = (shown, family) =>
    shown.filter((report) => report.profiles.some((profile) => profile.family === family));

  /** Notes about families that some of the reports do not cover. */
  const uncovered = (shown) =>
    ["gateway", "mesh"].flatMap((family) => {
      const having = withFamily(shown, family);
      const others = shown.filter((report) => !having.includes(report));
      if (having.length === 0 || others.length === 0) return [];
      if (having.length === 1)
        return [`Only ${nameOf(having[0])} reports a ${family}: features of a ${family} are not compared.`];
      return [`${namesOf(others, "and")} ${others.length === 1 ? "reports" : "report"} no ${family}.`];
    });

  /** The name, and the version if several reports of the implementation are compared. */
  function nameOf(report) {
    const isAlone = columns.filter(({ implementation }) => implementation === report.implementation).length === 1;
    return isAlone ? report.name : `${report.name} ${title(report)}`;
  }

  const namesOf = (some, word) => {
    const names = [...new Set(some.map(nameOf))];
    return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((one) => one).join(` ${word} `);
  };

  const isSilent = (cell) => cell.every((one) => SILENT.includes(one.state));
  const isClaim = (cell) => cell.some((one) => rank(one.state) <= LAST_CLAIM);

  /** Compares the reports that say something about a feature. */
  function difference(cells) {
    const told = cells.filter((cell) => !isSilent(cell));
    const claims = new Set(told.map(isClaim));
    if (claims.size > 1) return SUPPORT;
    const keys = told.map((cell) => cell.map((one) => one.state + (cell.length > 1 ? one.profiles : "")).join(";"));
    if (new Set(keys).size > 1) return PROOF;
    return told.length < cells.length ? UNREPORTED : SAME;
  }

  /** Groups of feature rows by difference, family and kind: name, and rows with a cell for each report. */
  function featureGroups(shown) {
    const groups = new Map();
    for (const family of ["gateway", "mesh"]) {
      const having = withFamily(shown, family);
      if (having.length === 0 || (having.length === 1 && shown.length > 1)) continue;
      features.forEach((feature, at) => {
        const cells = shown.map((report) => statesOf(report, family, at));
        // Reports without the family are not compared.
        const own = cells.filter((_, column) => having.includes(shown[column]));
        if (own.every(isSilent)) return;
        const order = difference(own);
        const { resource } = feature;
        const name = family === "mesh" && resource !== "Mesh" ? `${resource} in a mesh` : resource;
        const silent = having.filter((_, column) => isSilent(own[column]));
        const key = `${order} ${family} ${name}`;
        const group = groups.get(key) ?? { order, family, name, rows: [] };
        group.rows.push({ feature, cells, silent, isSame: order === SAME });
        groups.set(key, group);
      });
    }
    const byFamily = (a, b) => Number(a.family > b.family) - Number(a.family < b.family);
    const bySize = (a, b) => b.rows.length - a.rows.length || (a.name < b.name ? -1 : 1);
    return [...groups.values()].sort((a, b) => a.order - b.order || byFamily(a, b) || bySize(a, b));
  }

  /** What the rows of a group have in common. */
  function inCommon({ order, rows }) {
    const verb = rows.length === 1 ? "differs" : "differ";
    if (order === SUPPORT) return `${rows.length} ${verb} in support`;
    if (order === PROOF) return `${rows.length} ${verb} only in proof or by profile`;
    if (order === SAME) return `${rows.length} the same`;
    const silent = rows.flatMap((one) => one.silent);
    return `${rows.length} not reported by ${namesOf(silent, "or")}`;
  }

  /**
   * `5 of 40 features differ in support, 2 more only in proof or by profile; 3 more are not reported by X.`, by family if
   * several are compared. The sums must match those in the group heads.
   */
  function summaryOf(groups) {
    const families = [...new Set(groups.map((group) => group.family))];
    const sentences = families.sort().map((family) => {
      const own = (order) => groups.filter((one) => one.family === family && one.order === order);
      const [first, more, unreported, same] = [SUPPORT, PROOF, UNREPORTED, SAME].map((order) =>
        own(order).flatMap((group) => group.rows),
      );
      const compared = first.length + more.length + same.length;
      const of = families.length > 1 ? ` of a ${family}` : "";
      const what = counted(compared, "feature") + of;
      const parts = [];
      if (first.length + more.length)
        parts.push(
          `${first.length} of ${what} ${first.length === 1 ? "differs" : "differ"} in support${more.length ? `, ${more.length} more only in proof or by profile` : ""}`,
        );
      else if (compared) parts.push(`No difference in ${what}`);
      if (unreported.length) {
        const count = compared ? `${unreported.length} more` : counted(unreported.length, "feature") + of;
        const by = namesOf(
          unreported.flatMap((one) => one.silent),
          "or",
        );
        parts.push(`${count} ${unreported.length === 1 ? "is" : "are"} not reported by ${by}`);
      }
      return `${parts.join("; ")}.`;
    });
    return sentences.join(" ");
  }

  /** Warns if the releases differ, because a report cannot support a feature that its release does not have. */
  function releasesDiffer(shown) {
    const minors = [...new Set(shown.map((report) => report.minor ?? "an unknown release"))];
    if (minors.length < 2) return null;
    minors.sort(order.compare);
    const last = minors.pop();
    return make(
      "p",
      { class: "note" },
      `Reports for ${minors.join(", ")} and ${last} are compared: a report cannot support features that its release does not have.${
        isFree() ? " No current release is in common." : ""
      }`,
    );
  }

  /** Warns if the channels differ, because runs with standard CRDs cannot prove features of the experimental channel. */
  function channelsDiffer(shown) {
    const isLeftOut = (at) => (report) => {
      const { profiles, standard } = releases[report.release] ?? { profiles: [] };
      return (
        report.channel === "standard" &&
        profiles.some((one) => one.feature_indexes.includes(at)) &&
        !standard.includes(at)
      );
    };
    const hasIt = (at) => (report) =>
      report.channel === "experimental" && report.profiles.some((one) => rank(state(one, at)) < LAST_CLAIM);
    const places = [...features.keys()].filter((at) => shown.some(isLeftOut(at)) && shown.some(hasIt(at)));
    const isForced = isFree() && areSame("minor") && !areSame("channel");
    if (places.length === 0 && !isForced) return null;
    const names = places.slice(0, MOST_NAMED).map((at) => features[at].feature);
    const more = places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : "";
    return make(
      "p",
      { class: "note" },
      `Runs with standard and experimental CRDs are compared${isForced ? ", as no channel is in common" : ""}.`,
      names.length ? ` Features of the experimental channel: ${names.join(", ")}${more}.` : null,
    );
  }

  /** Rows about the reports themselves: name, texts, cells. */
  function factRows(shown) {
    const names = [...new Set(shown.flatMap((report) => report.profiles.map((profile) => profile.profile)))].sort();
    const verdict = (report, name) => report.profiles.find((profile) => profile.profile === name)?.status;
    const rows = names.map((name) => {
      const found = shown.map((report) => verdict(report, name));
      return {
        name: name || "no name",
        texts: found.map((status) => (status ? marks.statuses[status][2] : "not reported")),
        cells: found.map((status) => {
          if (!status) return make("td", { class: "absent" }, glyph(["absent", "·"]), " not reported");
          const mark = marks.statuses[status];
          return make("td", { class: mark[0] }, glyph(mark), ` ${mark[2]}`);
        }),
      };
    });
    const plain = [
      ["Release", "release"],
      ["Channel", "channel"],
      ["Mode", "mode"],
    ].map(([name, field]) => {
      const texts = shown.map((report) => report[field] ?? "not stated");
      return { name, texts, cells: texts.map((text) => make("td", {}, text)) };
    });
    const isSame = ({ texts }) => texts.length > 1 && texts.every((text) => text === texts[0]);
    return [...plain, ...rows].map((row) => ({ ...row, isSame: isSame(row) }));
  }

  function head(report, at) {
    const own = all.filter((one) => one.implementation === report.implementation).reverse();
    const pick = make(
      "select",
      {
        id: `column-${at}`,
        "aria-label": `Report of ${report.name}`,
        change: (event) => {
          chosen[at].report = byId.get(event.target.value);
          show();
          document.getElementById(`column-${at}`)?.focus();
        },
      },
      own.map((one) =>
        make(
          "option",
          { value: one.report, selected: one === report },
          `${title(one)}${run(one) ? ` (${run(one)})` : ""}`,
        ),
      ),
    );
    const remove = make(
      "button",
      {
        type: "button",
        click: () => {
          chosen.splice(at, 1);
          show();
          const left = results.querySelectorAll(".remove");
          (left[Math.min(at, left.length - 1)] ?? form.elements.add).focus();
        },
        class: "remove",
      },
      "Remove",
      make("span", { class: "vh" }, ` ${report.name}, ${title(report)}`),
    );
    const pre = report.prerelease ? make("span", { class: "chip" }, "pre-release") : null;
    return make(
      "th",
      { scope: "col" },
      make("div", { class: "who" }, link(`${root}implementations/${report.implementation}/`, report.name)),
      make("div", {}, link(`${root}implementations/${report.report}/`, title(report)), pre),
      make("div", { class: "controls" }, pick, remove),
    );
  }

  /** Adds a shadow at the right edge while the content overflows. */
  function shaded(box) {
    const outer = make("div", { class: "shaded" }, box);
    const look = () => outer.classList.toggle("cut", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    box.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(box);
    return outer;
  }

  function asMarkdown(shown, facts, groups) {
    const row = (cells) => `| ${cells.map(markdown).join(" | ")} |`;
    const address = (path) => markdownAddress(new URL(root + path, location.href).href);
    const heads = shown.map(
      (report) => `[${markdown(`${report.name} ${title(report)}`)}](${address(`implementations/${report.report}/`)})`,
    );
    const out = [`| | ${heads.join(" | ")} |`, `|---|${shown.map(() => "---|").join("")}`];
    const folded = results.querySelector(".fold input")?.checked ?? false;
    for (const { name, texts, isSame } of facts) if (!folded || !isSame) out.push(row([name, ...texts]));
    let left = 0;
    for (const { rows } of groups) {
      for (const one of rows) {
        if (folded && one.isSame) left += 1;
        else out.push(row([one.feature.feature, ...one.cells.map(words)]));
      }
    }
    out.push("", ...uncovered(shown).flatMap((one) => [markdown(one), ""]));
    out.push(
      `${left ? `${counted(left, "feature")} ${left === 1 ? "is" : "are"} the same in all and left out. ` : ""}[The whole comparison](${markdownAddress(location.href)})`,
    );
    return `${out.join("\n")}\n`;
  }

  function show() {
    columns = comparable();
    keep({ i: chosen.map(inAddress) });
    const notes = unknown.length
      ? [
          make(
            "p",
            { class: "note" },
            `Unknown implementation or report: ${unknown.map((name) => `“${name}”`).join(", ")}.`,
          ),
        ]
      : [];
    if (columns.length === 0) {
      results.replaceChildren(
        ...notes,
        make(
          "p",
          {},
          "Select two or more implementations. They are compared by reports for the same release and channel, if there are any.",
        ),
        ...(example ? [example] : []),
      );
      return;
    }
    const facts = factRows(columns);
    const groups = featureGroups(columns);
    const isAlone = columns.length === 1;
    const body = (name, rows) =>
      make(
        "tbody",
        {},
        make("tr", { class: "g" }, make("th", { scope: "rowgroup", colspan: columns.length + 1 }, name)),
        rows,
      );
    const table = make(
      "table",
      { class: "columns", "data-differences": "on" },
      make("caption", { class: "vh" }, "Reports side by side"),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Feature"), columns.map(head))),
      groups.map((group) =>
        body(
          isAlone ? group.name : [group.name, make("small", {}, ` ${inCommon(group)}`)],
          group.rows.map((one) =>
            make(
              "tr",
              { "data-same": !isAlone && one.isSame },
              make(
                "th",
                { scope: "row" },
                one.feature.page ? link(root + one.feature.page, one.feature.label) : one.feature.label,
                make("span", { class: "vh" }, ` ${one.feature.feature}`),
              ),
              one.cells.map(cellOf),
            ),
          ),
        ),
      ),
      body(
        "Report",
        facts.map(({ name, cells, isSame }) =>
          make("tr", { "data-same": isSame }, make("th", { scope: "row" }, name), cells),
        ),
      ),
    );
    const summary = isAlone ? "Add another implementation to compare." : summaryOf(groups);
    const warnings = [newerNote(groups), releasesDiffer(columns), channelsDiffer(columns)].filter((one) => one);
    results.replaceChildren(
      ...notes,
      ...warnings,
      make("p", { role: "status", class: "summary" }, summary),
      shaded(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Comparison" }, table)),
      ...uncovered(columns).map((text) => make("p", { class: "sub" }, text)),
      make(
        "p",
        { class: "actions" },
        copier("Copy link", () => location.href),
        copier("Copy as Markdown", () => asMarkdown(columns, facts, groups)),
      ),
    );
    differences(table);
  }

  /** The column for an implementation or report. */
  function find(name) {
    const report = byId.get(basis.get(name) ?? name);
    if (!report) return null;
    return { implementation: report.implementation, report: basis.has(name) ? null : report };
  }

  // Large sites split the data. Only the parts with the chosen implementations are loaded.
  const sources = place.dataset.source.split(" ");
  const parts = new Map();

  /** The implementation `organization/project` of an implementation or report id. */
  const implementationOf = (name) => name.split("/").slice(0, 2).join("/");

  /**
   * Indexes of the data parts with the reports of these implementations. Names are implementation or report ids.
   */
  function partsOf(names) {
    if (sources.length === 1 || !choices[0]?.dataset.parts) return sources.keys();
    const own = choices.filter(({ value }) => names.some((name) => implementationOf(name) === value));
    const wanted = own.flatMap(({ dataset }) => dataset.parts.split(" ").map(Number));
    return wanted.length ? wanted : [sources.length - 1];
  }

  /** Calls `then` after the reports of these implementations are loaded. */
  function withReports(names, then) {
    const missing = [...new Set(partsOf(names))].filter((part) => !parts.has(part));
    if (missing.length === 0) {
      then();
      return;
    }
    load(missing.map((part) => sources[part]).join(" "), results, (data, own) => {
      for (const [at, part] of missing.entries()) parts.set(part, reports(own[at]));
      all = [...parts.keys()].sort((a, b) => a - b).flatMap((part) => parts.get(part));
      features = data.features;
      releases = data.releases;
      currentMinors = data.current_minors;
      absence = absences(data, marks);
      byId = new Map(all.map((report) => [report.report, report]));
      then();
    });
  }

  // URLs with a former name remain valid.
  const current = new Map(
    choices.flatMap(({ value, dataset }) => (dataset.aliases?.split(" ") ?? []).map((alias) => [alias, value])),
  );
  const renamed = (name) => {
    const own = implementationOf(name);
    return (current.get(own) ?? own) + name.slice(own.length);
  };
  const asked = new URLSearchParams(location.search)
    .getAll("i")
    .filter((name) => name)
    .map(renamed);
  function begin() {
    chosen = asked
      .map(find)
      .filter((column) => column)
      .slice(0, MAX_COLUMNS);
    unknown = asked.filter((name) => !find(name));
    form.hidden = false;
    show();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = form.elements.add;
    if (!value || chosen.length >= MAX_COLUMNS) return;
    withReports([value], () => {
      unknown = [];
      chosen.push(find(value));
      form.elements.add.value = "";
      show();
    });
  });
  form.hidden = true;
  place.hidden = false;
  withReports(asked, begin);
})();
