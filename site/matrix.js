// Matrix page: collapses additional reports of an implementation, selects and sorts columns, and shows the
// evidence behind a cell. The URL keeps all settings. Without JavaScript, cells are links.

(() => {
  const { make, counted, keep, kept } = gwconform;
  // Below this width, only the columns that fit are shown, so that all rows are. Wider matrices scroll in a box.
  const WIDE = 1320;
  const WIDTH_OF_COLUMN = 58;
  const WIDTH_OF_HEADS = 310;
  const LEAST = 3;
  // Classes of cells whose report does not claim the feature. For `absent`, the report could not claim it.
  const NOT_CLAIMED = ["no", "silent", "absent"];

  function matrix(table, at) {
    const rows = [...table.rows].filter((row) => row.querySelector(".m"));
    const featureRows = rows.filter((row) => !row.closest(".sums"));
    const said = document.querySelectorAll("p.shown")[at];
    const box = table.parentElement;
    const heads = [...table.querySelectorAll(".run .m")];
    const groups = [...table.querySelectorAll(".who .g")];
    const slug = (column) => heads[column].dataset.slug;
    const isMore = heads.map((head) => head.classList.contains("more"));
    // Cells by column, in document order.
    const cells = heads.map((_, column) => rows.map((row) => row.querySelectorAll(".m")[column]));
    const state = {
      columns: kept("columns")
        .split(",")
        .filter((one) => groups.some((group) => group.dataset.slug === one)),
      modes: kept("modes") === "all",
      sort: kept("order"),
    };

    /** Number of columns that fit if their heads are short. */
    const room = () => {
      const { clientWidth } = document.documentElement;
      if (clientWidth >= WIDE) return Number.POSITIVE_INFINITY;
      return Math.max(LEAST, Math.floor((clientWidth - WIDTH_OF_HEADS) / WIDTH_OF_COLUMN));
    };
    const isNarrow = () => room() < isMore.filter((one) => state.modes || !one).length;
    const isChosen = (one) => state.columns.length === 0 || state.columns.includes(one);
    function show() {
      table.classList.toggle("chosen", state.columns.length > 0 || isNarrow());
      table.classList.toggle("single", !state.modes);
      put(room());
      while (room() < Number.POSITIVE_INFINITY && columns > 1 && !box.classList.contains("fits")) put(columns - 1);
    }

    /** Shows the first `left` columns. */
    function put(left) {
      let implementations = 0;
      const shown = [];
      for (const group of order()) {
        const own = heads.flatMap((_, column) => (slug(column) === group.dataset.slug ? [column] : []));
        const visible = own.filter((column) => {
          const isShown = isChosen(group.dataset.slug) && (state.modes || !isMore[column]) && left > 0;
          if (isShown) left -= 1;
          for (const cell of cells[column]) cell.hidden = !isShown;
          return isShown;
        });
        group.hidden = visible.length === 0;
        group.colSpan = Math.max(1, visible.length);
        implementations += group.hidden ? 0 : 1;
        shown.push(...visible);
      }
      for (const cell of table.querySelectorAll("tbody .g td[colspan]")) cell.colSpan = Math.max(1, shown.length);
      columns = shown.length;
      fit();
      count(implementations);
    }

    // Column names are horizontal if there is enough space.
    let columns = heads.length;
    const WIDTH_OF_NAMES = 430;
    const ROOM = 125;
    const fit = () => {
      const room = document.documentElement.clientWidth - WIDTH_OF_NAMES;
      table.classList.toggle("roomy", columns * ROOM <= room);
      table.style.setProperty("--columns", columns);
      box.classList.toggle("fits", table.offsetWidth <= box.clientWidth);
    };
    addEventListener("resize", fit);

    /** Updates the text with the number of visible implementations. */
    function count(implementations) {
      const chosen = state.columns.length;
      const isCut = chosen > implementations;
      const all = isCut ? `${chosen} chosen implementations` : counted(groups.length, "implementation");
      const which = isCut ? "the first ones" : chosen ? "as chosen" : `by ${orderName()}`;
      said.textContent = `${implementations} of ${all} shown, ${which}.`;
      said.hidden = implementations === groups.length;
      said.classList.add("said");
    }

    const ORDERS = {
      name: (a, b) => groups.indexOf(a) - groups.indexOf(b),
      count: (a, b) => b.dataset.count - a.dataset.count,
      standing: (a, b) => b.dataset.standing - a.dataset.standing || b.dataset.count - a.dataset.count,
    };
    // Narrow screens show only a few columns, so the best come first.
    const usualOrder = () => (isNarrow() ? "standing" : "name");
    const orderName = () => (state.sort in ORDERS ? state.sort : usualOrder());
    function order() {
      const sorted = [...groups].sort(ORDERS[orderName()]);
      if (!isNarrow() || state.sort in ORDERS) return sorted;
      const place = (group) => state.columns.indexOf(group.dataset.slug);
      return sorted.sort((a, b) => place(a) - place(b));
    }
    function arrange() {
      const sorted = order();
      sort.value = orderName();
      sorted[0]?.parentElement.append(...sorted);
      const columns = sorted.flatMap((group) =>
        heads.flatMap((_, at) => (slug(at) === group.dataset.slug ? [at] : [])),
      );
      rows.forEach((row, nth) => {
        row.append(...columns.map((column) => cells[column][nth]));
      });
    }

    function change(values) {
      Object.assign(state, values);
      keep({ columns: state.columns.join(","), modes: state.modes ? "all" : "", order: state.sort });
      arrange();
      show();
    }

    const sort = make(
      "select",
      { name: "order" },
      Object.keys(ORDERS).map((value) => make("option", { value }, value)),
    );
    sort.addEventListener("change", () => change({ sort: sort.value === usualOrder() ? "" : sort.value }));

    function tools() {
      const folded = isMore.filter((one) => one).length;
      const modes = make("input", { type: "checkbox", id: `modes-${at}` });
      modes.checked = state.modes;
      modes.addEventListener("change", () => change({ modes: modes.checked }));
      const boxes = groups.map((group, nth) => {
        const box = make("input", { type: "checkbox", value: group.dataset.slug, id: `column-${at}-${nth}` });
        box.checked = state.columns.includes(group.dataset.slug);
        box.addEventListener("change", () => {
          const others = state.columns.filter((one) => one !== box.value);
          change({ columns: box.checked ? [...others, box.value] : others });
        });
        return box;
      });
      const compare = make(
        "button",
        {
          type: "button",
          click: () => location.assign(`${gwconform.root}compare/?${state.columns.map((one) => `i=${one}`).join("&")}`),
        },
        "Compare the chosen",
      );
      return make(
        "div",
        { class: "matrix-tools" },
        make("label", {}, "Order by ", sort),
        folded ? make("label", { for: modes.id }, modes, ` Further reports (${counted(folded, "column")})`) : null,
        make(
          "details",
          {},
          make("summary", {}, "Choose implementations"),
          make(
            "ul",
            {},
            boxes.map((box, nth) =>
              make("li", {}, make("label", { for: box.id }, box, ` ${groups[nth].dataset.name}`)),
            ),
          ),
          compare,
        ),
      );
    }

    said.before(tools());
    table.addEventListener("click", (event) => {
      const link = event.target.closest("td.m a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      const cell = link.closest("td");
      const column = cells.findIndex((own) => own.includes(cell));
      evidence(
        link,
        cell,
        heads[column],
        groups.find((group) => group.dataset.slug === slug(column)),
        numbers(heads[column].dataset.lines)[featureRows.indexOf(cell.parentElement)],
      );
    });
    let fitting = room();
    addEventListener("resize", () => {
      if (room() === fitting) return;
      fitting = room();
      arrange();
      show();
    });
    arrange();
    show();
  }

  let opened = null;
  function close(isBack) {
    opened?.panel.remove();
    if (isBack) opened?.link.focus();
    opened = null;
  }

  // Test states in display order, in the singular and plural.
  const SHOWN = {
    failed: ["test failed", "tests failed"],
    skipped: ["test skipped", "tests skipped"],
    "not-seen": [
      "test had not finished when the report was written",
      "tests had not finished when the report was written",
    ],
    "not-known": ["test with an unknown result", "tests with unknown results"],
    "not-run": ["test not run", "tests not run"],
    passed: ["test passed", "tests passed"],
    all: ["test of the feature", "tests of the feature"],
  };
  const MOST_UNFOLDED = 12;
  const numbers = (text) => (text ? text.split(" ").map(Number) : []);

  /** Tests of a cell by state. If the report does not claim the feature, all tests are in one group. */
  function testsOf(cell, head) {
    const names = JSON.parse(cell.closest("table").dataset.tests);
    const { list, shown = "" } = head.dataset;
    const [first, ...others] = (cell.parentElement.dataset.tests ?? "").split("|");
    const own = others.map((one) => one.split(":")).find(([name]) => name === list);
    const tests = list === "none" ? [] : numbers(own ? own[1] : first);
    const isClaimed = !NOT_CLAIMED.some((one) => cell.classList.contains(one));
    const states = new Map();
    for (const [state, places] of shown.split(";").map((one) => one.split(":"))) {
      for (const place of numbers(places)) states.set(place, state);
    }
    const state = (test) => (isClaimed ? (states.get(test) ?? "passed") : "all");
    return Object.keys(SHOWN)
      .map((name) => [name, tests.filter((test) => state(test) === name).map((test) => names[test])])
      .filter(([, own]) => own.length > 0);
  }

  /** Number of tests and their names; long lists are collapsed. */
  function testList([state, names]) {
    const head = `${names.length} ${SHOWN[state][names.length === 1 ? 0 : 1]}`;
    const list = make(
      "ul",
      { class: "tests" },
      names.map((name) => make("li", {}, name)),
    );
    return names.length > MOST_UNFOLDED
      ? make("details", {}, make("summary", {}, head), list)
      : make("div", {}, make("p", { class: "sub" }, head), list);
  }

  /** Shows the evidence behind a cell: state, tests, and links to the report page and file. */
  function evidence(link, cell, head, group, line) {
    close(false);
    const name = cell.parentElement.querySelector(".f").textContent.trim();
    const tests = testsOf(cell, head);
    // Remove test names from the sentence, because they are listed below.
    const text = tests.length
      ? cell.title.replace(/(skipped|failed|not run): .*/, "$1").replace(/^supported, \d+ tests? passed$/, "supported")
      : cell.title;
    const report = head.textContent.trim().replace(/\s+/g, " ");
    const { file } = head.dataset;
    const links = [
      make("a", { href: link.href }, cell.classList.contains("absent") ? "Features of the report" : "In the report"),
      ...(file && line ? [make("a", { href: `${file}#L${line}`, rel: "noopener" }, `Line ${line} of the file`)] : []),
      ...(file ? [make("a", { href: file, rel: "noopener" }, "File")] : []),
      make("button", { type: "button", click: () => close(true) }, "Close"),
    ];
    const panel = make(
      "div",
      { class: "evidence", role: "dialog", tabindex: "-1", "aria-label": `${name}, ${group.dataset.name}` },
      make("p", {}, make("b", {}, name), `, ${report}`),
      make("p", {}, text),
      tests.map(testList),
      make(
        "p",
        {},
        links.flatMap((one, at) => (at ? [" · ", one] : [one])),
      ),
    );
    document.querySelector("main").append(panel);
    const place = cell.getBoundingClientRect();
    const view = document.documentElement;
    const left = Math.max(8, Math.min(place.left, view.clientWidth - panel.offsetWidth - 8));
    const isLow = place.bottom + panel.offsetHeight > view.clientHeight;
    panel.style.left = `${left + scrollX}px`;
    panel.style.top = `${(isLow ? place.top - panel.offsetHeight : place.bottom) + scrollY}px`;
    opened = { panel, link };
    panel.focus();
  }
  document.addEventListener("keydown", (event) => event.key === "Escape" && close(true));
  document.addEventListener("click", (event) => {
    if (opened && !opened.panel.contains(event.target) && !event.target.closest("td.m a")) close(false);
  });

  // Links to other releases and profiles keep the settings. The query is added when a link is followed.
  for (const kind of ["pointerdown", "click"]) {
    document.querySelector(".choices")?.addEventListener(kind, (event) => {
      const link = event.target.closest("a");
      if (link) link.search = location.search;
    });
  }

  document.querySelectorAll("table[data-matrix]").forEach(matrix);
})();
