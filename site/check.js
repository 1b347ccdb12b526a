// Check page: runs `gwconform check` in a WebAssembly module on files that are chosen, dropped or pasted.

(() => {
  const { make, prose, counted, copier, keep, kept, root } = gwconform;
  const { isThere, open, read, onChoice, dropZone, pasted, sentence, scrolling, arrive, answers, Refused } =
    gwconformModule;
  const place = document.getElementById("check");
  const form = place.querySelector("form");
  const section = place.querySelector(".results");
  const title = section.querySelector("h2");
  const output = section.querySelector(".answer");
  const status = place.querySelector("[role=status]");

  function withoutModule() {
    form.hidden = true;
    place.classList.add("unavailable");
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

  function item(finding, lines, hasPath) {
    return make(
      "li",
      {},
      make("span", { class: `sev ${finding.severity}` }, finding.severity),
      " ",
      rule(finding.rule),
      " ",
      position(finding) ? make("small", {}, position(finding)) : null,
      hasPath ? make("span", { class: "path" }, finding.path) : null,
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

  // More findings of a rule are folded.
  const MOST_UNFOLDED = 3;

  const SEVERITIES = ["error", "warning", "info"];

  /** Findings by rule: first those of broken YAML, then by severity. */
  function byRule(findings, lines, hasPaths) {
    const groups = new Map();
    for (const [at, finding] of findings.entries()) {
      if (!groups.has(finding.rule)) groups.set(finding.rule, []);
      groups.get(finding.rule).push(at);
    }
    const place = ([rule, [first]]) => (rule === "yaml/syntax" ? -1 : SEVERITIES.indexOf(findings[first].severity));
    const sorted = [...groups].sort((a, b) => place(a) - place(b));
    return sorted.map(([name, own]) => {
      const list = make(
        "ul",
        { class: "findings" },
        own.map((at) => item(findings[at], lines[at], hasPaths)),
      );
      if (own.length <= MOST_UNFOLDED) return list;
      const files = new Set(own.map((at) => findings[at].path)).size;
      return make(
        "details",
        { class: "folded" },
        make(
          "summary",
          {},
          make("span", { class: `sev ${findings[own[0]].severity}` }, findings[own[0]].severity),
          ` ${name}: ${counted(own.length, "finding")}${files > 1 ? ` in ${counted(files, "file")}` : ""}`,
        ),
        list,
      );
    });
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

  function show({ document: checked, lines, markdown, names, count, releases, place: derived, hint }) {
    const { summary, findings, left_out: leftOut } = checked;
    const paths = new Set(findings.map(({ path }) => path));
    const looked = [
      summary.reports ? counted(summary.reports, "report") : null,
      summary.readmes ? counted(summary.readmes, "README") : null,
      summary.submissions ? counted(summary.submissions, "submission") : null,
    ].filter((one) => one);
    const hidden = [
      summary.not_shown ? `${summary.not_shown} more are not shown` : null,
      summary.ignored ? `${summary.ignored} are ignored by gwconform.toml` : null,
    ].filter((one) => one);
    const [path] = paths;
    // Omit the file name if it is the only heading below.
    const own = paths.size === 1 && path === names ? [] : [names];
    const note = [...own, ...hidden].join("; ");
    say(
      `${counts(summary)} in ${looked.join(", ") || counted(count, "file")}`,
      note ? make("p", { class: "sub" }, note) : null,
      hint ? make("p", { class: "note" }, prose(hint)) : null,
      derived
        ? make("p", { class: "sub" }, "Checked as ", make("code", {}, derived), ", the release of its reports.")
        : null,
      releases.length
        ? make(
            "p",
            { class: "sub releases" },
            `Releases read: ${releases.join(", ")}. Browsers omit symbolic links, and folders next to a link to them. If a release is missing, choose its folder alone.`,
          )
        : null,
      make(
        "p",
        { class: "actions" },
        copier("Copy as Markdown for a pull request", () => markdown),
      ),
      paths.size === 1 ? make("h3", { class: "path" }, path) : null,
      byRule(findings, lines, paths.size > 1),
      leftOut.length
        ? [
            make("h3", {}, "Not checked"),
            make(
              "ul",
              {},
              leftOut.map(({ path, reason }) => make("li", {}, make("span", { class: "path" }, path), `: ${reason}`)),
            ),
            form.elements.place.value.trim() || derived
              ? null
              : make("p", { class: "sub" }, "Enter a place in the tree to also check the names of files and folders."),
          ]
        : null,
    );
  }

  const RELEASE = /^v\d+\.\d+(\.\d\S*)?$/;
  const foldersOf = (path) => path.split("/").slice(0, -1);

  /** Releases whose folders contain a file, sorted by version. */
  function releasesOf(files) {
    const found = new Set(files.flatMap(({ path }) => foldersOf(path).filter((name) => RELEASE.test(name))));
    return [...found].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  }

  const textOf = ({ bytes }) => new TextDecoder().decode(bytes.subarray(0, MAX_LOOKED_AT));
  const MAX_LOOKED_AT = 200_000;
  const KINDS = /(?:^ {0,2}|(?:^|[{,])[ \t]*")kind"?: *"?([A-Za-z]+)/gm;

  /** Kinds of objects in the files, for example `HTTPRoute`. */
  const kindsOf = (files) =>
    new Set(files.flatMap((file) => [...textOf(file).matchAll(KINDS)].map(([, kind]) => kind)));

  /**
   * Place of a submission that is chosen without its release folder: the minor in its reports. Without a place, rules
   * about the whole submission would not run.
   */
  function derivedPlace(files) {
    const [folder] = new Set(files.map(({ path }) => path.split("/")[0]));
    const isFolder = files.every(({ path }) => path.startsWith(`${folder}/`));
    if (!isFolder || releasesOf(files).length > 0 || /^(conformance|reports)$/.test(folder)) return null;
    const minors = files.map((file) => /^gatewayAPIVersion: *["']?(v\d+\.\d+)/m.exec(textOf(file))?.[1]);
    const [minor] = minors.filter((one) => one);
    return minor ? `conformance/reports/${minor}/${folder}` : null;
  }

  /**
   * Adds the path entered by the user. If all files are in a folder with the name of its last segment, that folder
   * is replaced. A single file is placed below conformance/reports, because files outside of a reports tree are
   * checked differently.
   */
  function placed(files) {
    const names = form.elements.place.value.trim().split("/");
    const entered = names.filter((name) => name).join("/");
    const folder = entered || derivedPlace(files);
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

  /** Kinds of Kubernetes objects that the page `find` reads. */
  const MANIFEST = /^(Gateway|GatewayClass|ListenerSet|XListenerSet|ReferenceGrant|Ingress|.*Route|.*Policy)$/;

  /** Offers to search for implementations with the features of these manifests. */
  function redirect(files) {
    const text = files.map((file) => new TextDecoder().decode(file.bytes)).join("\n---\n");
    const click = () => {
      // The find page deletes the manifests when it reads them.
      try {
        sessionStorage.setItem("gwconform-manifests", text);
      } catch {
        // Too large: the find page asks for the manifests again.
      }
      location.href = `${root}find/#manifests`;
    };
    say(
      "Nothing was checked",
      make("p", {}, "These are Kubernetes manifests, not conformance reports."),
      make(
        "p",
        { class: "actions" },
        make("button", { type: "button", click }, "Find implementations for these manifests"),
      ),
    );
    arrive(title, status, [focused], output.textContent);
  }

  /** Whether a line contains `{{ … }}` that is not part of a comment. */
  function isTemplateLine(line) {
    const start = line.indexOf("{{");
    return start >= 0 && line.indexOf("}}", start) > 0 && !line.slice(0, start).includes("#");
  }

  /** Explains input that is not a report, or null. */
  function hintFor(files) {
    const isTemplate = files.some(
      (file) => /\.ya?ml$|\.tpl$/.test(file.path) && textOf(file).split("\n").some(isTemplateLine),
    );
    return isTemplate ? "The input contains a Helm template. Run `helm template` and check the output." : null;
  }

  async function checkRead(own, files) {
    last = files;
    const kinds = kindsOf(files);
    if (!kinds.has("ConformanceReport") && [...kinds].some((kind) => MANIFEST.test(kind)) && place.dataset.find) {
      redirect(files);
      return;
    }
    const answer = await module.call("check", placed(files), { strict: form.elements.strict.checked });
    if (own !== turn) return;
    document.querySelector(".commands").hidden = answer.isLoaded !== false;
    if (!answer.answer) {
      refuse(prose(sentence(answer)));
      return;
    }
    isLoaded = true;
    const names = files.length === 1 ? files[0].path : counted(files.length, "file");
    const shown = {
      ...answer.answer,
      names,
      count: files.length,
      releases: releasesOf(files),
      place: form.elements.place.value.trim() ? null : derivedPlace(files),
      hint: hintFor(files),
    };
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
    if (text.value.trim() === "") {
      begin();
      say("The text area is empty", make("p", {}, "Paste a report, or choose files or a folder."));
      status.textContent = title.textContent;
      text.focus();
    } else check(pasted("report.yaml", text.value));
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
