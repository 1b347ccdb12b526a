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

  /** Links newer reports if the release in common is not the newest. */
  function newerNote() {
    const newest = chosen.map(usual);
    const { minor } = columns[0];
    if (!areSame("minor") || newest.every((one) => newestFirst(one.minor, minor) >= 0)) return null;
    const query = newest.map(({ report }) => `i=${report}`).join("&");
    return make(
      "p",
      { class: "note" },
      `${minor} is the newest release in all of their reports. `,
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
    // Ignore profiles without the feature if another profile has it.
    if (states.size > 1) states.delete("not-in-release");
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

  function cellOf(cell) {
    if (cell.length === 0) return make("td", { class: "absent" }, glyph(["absent", "·"]), " ", "profile not reported");
    const best = marks.states[cell[0].state];
    return make(
      "td",
      { class: best[0] },
      cell.map((one) => {
        const mark = marks.states[one.state];
        const texts = [...one.texts].join("; ");
        return make(
          "div",
          { class: mark[0], title: texts || null },
          glyph(mark),
          ` ${one.word}`,
          cell.length > 1 ? make("small", {}, ` ${one.profiles.map(short).join(", ")}`) : null,
          texts ? make("span", { class: "vh" }, `: ${texts}`) : null,
        );
      }),
    );
  }

  const withFamily = (shown, family) =>
    shown.filter((report) => report.profiles.some((profile) => profile.family === family));

  /** Notes about families that only one of the reports covers and that are therefore not compared. */
  const single = (shown) =>
    shown.length < 2
      ? []
      : ["gateway", "mesh"].flatMap((family) => {
          const [one, ...others] = withFamily(shown, family);
          return one && others.length === 0
            ? [`Only ${one.name} reports a ${family}: features of a ${family} are not compared.`]
            : [];
        });

  /**
   * Feature rows by family and kind: name, cells, and whether all cells are equal. Different claims come first.
   */
  function featureGroups(shown) {
    const groups = [];
    for (const family of ["gateway", "mesh"]) {
      const having = withFamily(shown, family).length;
      if (having === 0 || (having === 1 && shown.length > 1)) continue;
      const kinds = new Map();
      features.forEach((feature, at) => {
        const cells = shown.map((report) => statesOf(report, family, at));
        const isNamed = cells.some((cell) =>
          cell.some((one) => one.state !== "not-in-release" && one.state !== "not-stated"),
        );
        if (!isNamed) return;
        const keys = cells.map((cell) =>
          cell.map((one) => one.state + (cell.length > 1 ? one.profiles : "")).join(";"),
        );
        const claims = cells.map((cell) => cell.some((one) => rank(one.state) <= LAST_CLAIM));
        const isSame = keys.every((key) => key === keys[0]);
        const order = isSame ? 2 : claims.some((one) => one !== claims[0]) ? 0 : 1;
        const rows = kinds.get(feature.resource) ?? [];
        rows.push({ feature, cells, isSame, order });
        kinds.set(feature.resource, rows);
      });
      const sorted = [...kinds].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
      for (const [resource, rows] of sorted) {
        rows.sort((a, b) => a.order - b.order);
        const name = family === "mesh" && resource !== "Mesh" ? `${resource} in a mesh` : resource;
        groups.push({ family, name, rows });
      }
    }
    // Groups with differences in support come first.
    return groups.sort((a, b) => Number(inSupport(a.rows) === 0) - Number(inSupport(b.rows) === 0));
  }

  const inSupport = (rows) => rows.filter((one) => one.order === 0).length;

  const differing = (rows) => rows.filter((one) => !one.isSame).length;

  /**
   * `5 of 40 features differ in support, 2 more only in proof or by profile`, by family if several are compared. The sums
   * must match those in the group heads.
   */
  function summaryOf(groups) {
    const families = [...new Set(groups.map((group) => group.family))];
    const of = (family) => groups.filter((group) => group.family === family).flatMap((group) => group.rows);
    return families
      .map((family) => {
        const rows = of(family);
        const count = differing(rows);
        const what = `${counted(rows.length, "feature")}${families.length > 1 ? ` of a ${family}` : ""}`;
        if (count === 0) return `All ${what} are the same.`;
        const first = inSupport(rows);
        const more = count > first ? `, ${count - first} more only in proof or by profile` : "";
        return `${first} of ${what} ${first === 1 ? "differs" : "differ"} in support${more}.`;
      })
      .join(" ");
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
      `${minors.join(", ")} and ${last} are compared: a report cannot support features that its release does not have.${
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
    return make(
      "th",
      { scope: "col" },
      make("div", { class: "who" }, link(`${root}implementations/${report.implementation}/`, report.name)),
      make("div", {}, link(`${root}implementations/${report.report}/`, title(report))),
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
    out.push("", ...single(shown).flatMap((one) => [markdown(one), ""]));
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
      groups.map(({ name, rows }) =>
        body(
          isAlone ? name : [name, make("small", {}, ` ${differing(rows)} of ${rows.length} differ`)],
          rows.map((one) =>
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
    const warnings = [newerNote(), releasesDiffer(columns), channelsDiffer(columns)].filter((one) => one);
    results.replaceChildren(
      ...notes,
      ...warnings,
      make("p", { role: "status", class: "summary" }, summary),
      shaded(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Comparison" }, table)),
      ...single(columns).map((text) => make("p", { class: "sub" }, text)),
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
