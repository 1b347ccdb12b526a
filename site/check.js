// Check: files that a person chooses, drops or pastes go through the module of the site, and the page
// shows what `gwconform check` finds in them.

(() => {
  const { make, counted, copier, keep, kept, root } = gwconform;
  const { isThere, open, read, onChoice, dropZone, pasted, sentence, prose, Refused } = gwconformModule;
  const place = document.getElementById("check");
  const form = place.querySelector("form");
  const section = place.querySelector(".results");
  const title = section.querySelector("h2");
  const output = section.querySelector(".answer");
  const status = place.querySelector("[role=status]");
  const MAX_KEPT = 1_000_000;

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
    status.textContent = heading;
    output.replaceChildren(...inside.flat().filter((one) => one));
    section.hidden = false;
  }

  /** The lines of a finding with their numbers, and the finding marked. */
  function source({ first, text, start, end }) {
    const whole = text.endsWith("\n") ? text.slice(0, -1) : text;
    const rows = [];
    let at = 0;
    whole.split("\n").forEach((line, nth) => {
      const [from, to] = [start - at, end - at].map((one) => Math.min(Math.max(one, 0), line.length));
      const isIn = start <= at + line.length && end >= at;
      rows.push(
        make("span", { class: "number", "aria-hidden": "true" }, `${first + nth}`.padStart(5)),
        " ",
        line.slice(0, from),
        isIn && to > from ? make("mark", {}, line.slice(from, to)) : line.slice(from, to),
        line.slice(to),
        document.createTextNode("\n"),
      );
      at += line.length + 1;
    });
    return make("pre", { class: "source", tabindex: "0", role: "group", "aria-label": "Lines of the file" }, rows);
  }

  const position = ({ line, column }) => (line === null ? null : `line ${line}, column ${column}`);

  function item(finding, lines) {
    return make(
      "li",
      {},
      make("span", { class: `sev ${finding.severity}` }, finding.severity),
      " ",
      make("a", { href: `${root}rules/${finding.rule}/` }, finding.rule),
      " ",
      position(finding) ? make("small", {}, position(finding)) : null,
      make("br"),
      prose(finding.message),
      lines ? source(lines) : null,
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
      finding.fix ? make("p", { class: "sub" }, "gwconform check --fix: ", prose(finding.fix.title)) : null,
    );
  }

  /** `2 errors, 1 warning`; of nothing, `No findings`. */
  function counts({ errors, warnings, infos }) {
    const all = [
      [errors, "error"],
      [warnings, "warning"],
      [infos, "info"],
    ].filter(([count]) => count > 0);
    return all.length ? all.map(([count, noun]) => counted(count, noun)).join(", ") : "No findings";
  }

  function show({ document: checked, lines, markdown, names }) {
    const { summary, findings, skipped } = checked;
    const byPath = new Map(findings.map(({ path }) => [path, []]));
    for (const [at, { path }] of findings.entries()) byPath.get(path).push(at);
    const looked = [
      counted(summary.reports, "report"),
      summary.readmes ? counted(summary.readmes, "README") : null,
      summary.submissions ? counted(summary.submissions, "submission") : null,
    ].filter((one) => one);
    const hidden = [
      summary.not_shown ? `${summary.not_shown} more are not shown` : null,
      summary.ignored ? `${summary.ignored} are ignored by gwconform.toml` : null,
    ].filter((one) => one);
    say(
      `${counts(summary)} in ${looked.join(", ")}`,
      make("p", { class: "sub" }, [names, ...hidden].join("; ")),
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
          ]
        : null,
    );
  }

  /**
   * Files below the place in the tree that is named. A folder of that name is the place itself; a file
   * alone has a place in a tree, or it would be checked as one without any.
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

  // The files of the last choice are checked again when an option changes; an answer that is late is not
  // shown.
  let last = null;
  let turn = 0;
  let isLoaded = false;

  /** Begins a check: says so, and returns its number. */
  function begin() {
    turn += 1;
    last = null;
    forget();
    say(
      "Checking …",
      isLoaded ? null : make("p", { class: "sub" }, `The first check loads ${place.dataset.size}.`),
      make("p", { class: "actions" }, make("button", { type: "button", click: stop }, "Stop")),
    );
    return turn;
  }

  const refuse = (...why) => say("Nothing was checked", make("p", {}, why));

  function stop() {
    turn += 1;
    module.stop();
    refuse("It was stopped.");
  }

  /** Reads the files of a choice, and checks them. */
  async function check(choice) {
    const own = begin();
    let files;
    try {
      files = await read(await choice, Number(place.dataset.most));
    } catch (error) {
      if (own === turn) refuse(error instanceof Refused ? error.message : "The files could not be read.");
      return;
    }
    if (own === turn) await checkRead(own, files);
  }

  async function checkRead(own, files) {
    const focused = document.activeElement;
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
    const shown = { ...answer.answer, names };
    show(shown);
    remember(shown);
    // Not away from a field that somebody went to meanwhile.
    if ([focused, document.body].includes(document.activeElement)) title.focus();
  }

  // Who follows a link to a rule and comes back finds the answer; it stays in the history of this tab.
  function remember(shown) {
    const isSmall = JSON.stringify(shown).length <= MAX_KEPT;
    history.replaceState(isSmall ? { checked: shown } : null, "", location.href);
  }

  const forget = () => history.replaceState(null, "", location.href);

  for (const name of ["files", "folder"]) onChoice(form.elements[name], check);
  dropZone(document.documentElement, check);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { text, place: named } = form.elements;
    // Enter in a field that has changed is a change of it, and none of its button.
    if (document.activeElement === named) return;
    if (text.value.trim() === "") text.focus();
    else check(pasted("report.yaml", text.value));
  });
  const again = () => {
    keep({ strict: form.elements.strict.checked ? "yes" : "", place: form.elements.place.value.trim() });
    const files = last;
    if (files) checkRead(begin(), files);
    else if (!section.hidden) refuse("Choose the files again, to check them with these options.");
  };
  form.elements.strict.addEventListener("change", again);
  form.elements.place.addEventListener("change", again);
  form.elements.strict.checked = kept("strict") === "yes";
  form.elements.place.value = kept("place");
  form.hidden = false;
  if (history.state?.checked) {
    try {
      show(history.state.checked);
    } catch {
      // It is of an earlier version of the page.
      forget();
      section.hidden = true;
    }
  }
})();
