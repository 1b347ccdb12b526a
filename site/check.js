// Check page: runs `gwconform check` in a WebAssembly module on files that are chosen, dropped or pasted.

(() => {
  const { make, counted, copier, keep, kept, root } = gwconform;
  const { isThere, open, read, onChoice, dropZone, pasted, sentence, prose, scrolling, arrive, answers, Refused } =
    gwconformModule;
  const place = document.getElementById("check");
  const form = place.querySelector("form");
  const section = place.querySelector(".results");
  const title = section.querySelector("h2");
  const output = section.querySelector(".answer");
  const status = place.querySelector("[role=status]");

  function withoutModule() {
    form.hidden = true;
    section.hidden = true;
    document.querySelector(".commands").hidden = false;
  }
  if (!isThere()) {
    withoutModule();
    return;
  }
  const module = open(place.dataset);

  function say(heading, ...inside) {
    title.textContent = heading;
    output.replaceChildren(...inside.flat().filter((one) => one));
    section.hidden = false;
  }

  // Focused element when the check started.
  let focused = null;

  /** Renders the source lines of a finding with line numbers and context, and marks the finding. */
  function source({ before, first, text, start, end, after }, name) {
    const row = (number, isOwn, ...parts) =>
      make(
        "span",
        { class: isOwn ? "own" : "around" },
        make("span", { class: "number", "aria-hidden": "true" }, `${number}`.padStart(5)),
        " ",
        parts,
        document.createTextNode("\n"),
      );
    const own = text.split("\n");
    let at = 0;
    const rows = own.map((line, nth) => {
      const [from, to] = [start - at, end - at].map((one) => Math.min(Math.max(one, 0), line.length));
      at += line.length + 1;
      const marked = to > from ? make("mark", {}, line.slice(from, to)) : "";
      return row(first + nth, true, line.slice(0, from), marked, line.slice(to));
    });
    const lines = [
      ...before.map((line, nth) => row(first - before.length + nth, false, line)),
      ...rows,
      ...after.map((line, nth) => row(first + own.length + nth, false, line)),
    ];
    return scrolling(make("pre", { class: "source" }, lines), `${name}, line ${first}`);
  }

  const position = ({ line, column }) => (line === null ? null : `line ${line}, column ${column}`);

  /** Link to a rule page. The URL is included for print. */
  function rule(id) {
    const href = `${root}rules/${id}/`;
    return make("a", { href, "data-address": new URL(href, location.href).href }, id);
  }

  function item(finding, lines) {
    return make(
      "li",
      {},
      make("span", { class: `sev ${finding.severity}` }, finding.severity),
      " ",
      rule(finding.rule),
      " ",
      position(finding) ? make("small", {}, position(finding)) : null,
      make("br"),
      prose(finding.message),
      lines ? source(lines, finding.path) : null,
      finding.labels.map((label) =>
        make(
          "p",
          { class: "sub" },
          [label.path === finding.path ? null : label.path, position(label)].filter((one) => one).join(", "),
          ": ",
          prose(label.message),
        ),
      ),
      finding.help ? make("p", { class: "sub" }, prose(finding.help)) : null,
      finding.fix ? make("p", { class: "sub" }, "To fix it: ", prose(finding.fix.title)) : null,
    );
  }

  /** `2 errors, 1 warning`, or `No findings`. */
  function counts({ errors, warnings, infos }) {
    const all = [
      [errors, "error"],
      [warnings, "warning"],
      [infos, "info"],
    ].filter(([count]) => count > 0);
    return all.length ? all.map(([count, noun]) => counted(count, noun)).join(", ") : "No findings";
  }

  function show({ document: checked, lines, markdown, names, count }) {
    const { summary, findings, skipped } = checked;
    const byPath = new Map(findings.map(({ path }) => [path, []]));
    for (const [at, { path }] of findings.entries()) byPath.get(path).push(at);
    const looked = [
      summary.reports ? counted(summary.reports, "report") : null,
      summary.readmes ? counted(summary.readmes, "README") : null,
      summary.submissions ? counted(summary.submissions, "submission") : null,
    ].filter((one) => one);
    const hidden = [
      summary.not_shown ? `${summary.not_shown} more are not shown` : null,
      summary.ignored ? `${summary.ignored} are ignored by gwconform.toml` : null,
    ].filter((one) => one);
    // Omit the file name if it is the only heading below.
    const own = [...byPath.keys()].join() === names ? [] : [names];
    const note = [...own, ...hidden].join("; ");
    say(
      `${counts(summary)} in ${looked.join(", ") || counted(count, "file")}`,
      note ? make("p", { class: "sub" }, note) : null,
      make(
        "p",
        { class: "actions" },
        copier("Copy as Markdown for a pull request", () => markdown),
      ),
      [...byPath].flatMap(([path, own]) => [
        make("h3", { class: "path" }, path),
        make(
          "ul",
          { class: "findings" },
          own.map((at) => item(findings[at], lines[at])),
        ),
      ]),
      skipped.length
        ? [
            make("h3", {}, "Not checked"),
            make(
              "ul",
              {},
              skipped.map(({ path, reason }) => make("li", {}, make("span", { class: "path" }, path), `: ${reason}`)),
            ),
            form.elements.place.value.trim()
              ? null
              : make("p", { class: "sub" }, "Enter a place in the tree to also check the names of files and folders."),
          ]
        : null,
    );
  }

  /**
   * Adds the path entered by the user. If all files are in a folder with the name of its last segment, that folder
   * is replaced. A single file is placed below conformance/reports, because files outside of a reports tree are
   * checked differently.
   */
  function placed(files) {
    const folder = form.elements.place.value.trim().replace(/^\/+|\/+$/g, "");
    if (!folder) return files;
    const own = `${folder.split("/").at(-1)}/`;
    const isItself = files.every(({ path }) => path.startsWith(own));
    const isInTree = /^(conformance|reports)\//.test(folder);
    const above = files.length === 1 && !isInTree ? `conformance/reports/${folder}` : folder;
    return files.map(({ path, bytes }) => ({ path: `${above}/${isItself ? path.slice(own.length) : path}`, bytes }));
  }

  // Files of the last check, for a new check when an option changes. `turn` identifies the current check; results
  // of earlier ones are dropped.
  let last = null;
  let turn = 0;
  let isLoaded = false;

  /** Shows that a check is running and returns its number. */
  function begin() {
    turn += 1;
    last = null;
    focused = document.activeElement;
    forget();
    status.textContent = "Checking …";
    say(
      "Checking …",
      isLoaded ? null : make("p", { class: "sub" }, `The first check loads ${place.dataset.size}.`),
      make("p", { class: "actions" }, make("button", { type: "button", click: stop }, "Stop")),
    );
    return turn;
  }

  function refuse(...why) {
    say("Nothing was checked", make("p", {}, why));
    arrive(title, status, [focused], output.textContent);
  }

  function stop() {
    turn += 1;
    module.stop();
    refuse("It was stopped.");
  }

  async function check(choice) {
    const own = begin();
    let files;
    try {
      files = await read(await choice, Number(place.dataset.most), { cutsLarge: true });
    } catch (error) {
      if (own === turn) refuse(error instanceof Refused ? error.message : "The files could not be read.");
      return;
    }
    if (own === turn) await checkRead(own, files);
  }

  async function checkRead(own, files) {
    last = files;
    const answer = await module.call("check", placed(files), { strict: form.elements.strict.checked });
    if (own !== turn) return;
    document.querySelector(".commands").hidden = answer.isLoaded !== false;
    if (!answer.answer) {
      refuse(prose(sentence(answer)));
      return;
    }
    isLoaded = true;
    const names = files.length === 1 ? files[0].path : counted(files.length, "file");
    const shown = { ...answer.answer, names, count: files.length };
    show(shown);
    remember(shown);
    arrive(title, status, [focused]);
  }

  // Keep the result in the tab's history, so that the Back button restores it.
  const { remember, forget, recall } = answers("checked");

  for (const name of ["files", "folder"]) onChoice(form.elements[name], check);
  dropZone(document.documentElement, check);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { text, place: named } = form.elements;
    // In this field, Enter commits the new value instead of submitting the form.
    if (document.activeElement === named) return;
    if (text.value.trim() === "") text.focus();
    else check(pasted("report.yaml", text.value));
  });
  const again = () => {
    keep({ strict: form.elements.strict.checked ? "yes" : "", place: form.elements.place.value.trim() });
    const files = last;
    if (files) checkRead(begin(), files);
    else if (!section.hidden) {
      focused = null;
      forget();
      refuse("Choose the files again to check them with these options.");
    }
  };
  form.elements.strict.addEventListener("change", again);
  form.elements.place.addEventListener("change", again);
  form.elements.strict.checked = kept("strict") === "yes";
  form.elements.place.value = kept("place");
  form.hidden = false;
  recall(show, () => {
    section.hidden = true;
  });
})();
