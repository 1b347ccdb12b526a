// Manifests on the Find page: the WebAssembly module determines the required features, and the page searches for
// them.

(() => {
  const { make, prose, counted } = gwconform;
  const { isThere, open, read, onChoice, dropZone, pasted, arrive, answers, sentence, Refused } = gwconformModule;
  const place = document.getElementById("manifests");
  const form = place.querySelector("form");
  const text = form.querySelector("textarea");
  const needed = place.querySelector(".needed");
  const chips = document.querySelector(".asked .chips");
  const input = place.querySelector("details");
  const title = document.getElementById("answer");
  const status = place.querySelector("[role=status]");
  const MAX_PLACES = 3;
  const MAX_LINES = 20;
  const EXTENSION = /\.(ya?ml|json)$/i;

  if (!isThere()) {
    document.getElementById("needs-command").hidden = false;
    return;
  }
  const module = open(place.dataset);

  const { remember, recall } = answers("needs");
  const free = [text, form.querySelector("[type=submit]")];

  function say(heading, ...inside) {
    const title = make("h3", { tabindex: "-1" }, heading);
    needed.replaceChildren(title, ...inside);
    chips.replaceChildren();
    return title;
  }

  /** The first locations, for example `manifests.yaml:12 filters[0].type: CORS`. */
  function places({ places, count }) {
    // A YAML alias produces the same location several times.
    const shown = [...new Set(places.slice(0, MAX_PLACES).map((one) => `${one.path}:${one.line} ${one.text}`))];
    if (count > shown.length) shown.push(`${count - shown.length} more`);
    return shown.join(" · ");
  }

  const list = (heading, note, rows) =>
    rows.length
      ? make(
          "div",
          { class: "group" },
          make("h4", {}, heading),
          note ? make("p", { class: "sub" }, note) : null,
          make("ul", {}, rows),
        )
      : null;

  const row = ({ name, because, at }) =>
    make(
      "li",
      {},
      make("b", {}, prose(name)),
      " ",
      because ? make("span", { class: "sub" }, prose(because), " · ") : null,
      make("small", {}, prose(at)),
    );
  const line = (sentence) => make("li", {}, prose(sentence));
  const command = (text) => make("li", {}, make("code", {}, text));

  function shortened(lines, noun) {
    const more = lines.length - MAX_LINES;
    return more > 0 ? [...lines.slice(0, MAX_LINES), counted(more, noun)] : lines;
  }

  /** Reduces a result to the names, locations and sentences to show. No other manifest content is kept. */
  function inShort({ document: found, not_read }) {
    const { question, counts } = found;
    const extended = found.needs.filter(({ level }) => level === "extended");
    const core = found.needs.filter(({ level }) => level === "core").map(({ feature }) => feature);
    const one = (name, why) => (one) => ({ name: one[name], because: why?.(one) ?? one.reason, at: places(one) });
    const unwritten = ({ alternative }) => alternative && `not counted; the alternative is ${alternative}`;
    const at = ({ path, line }, reason) => `${path}:${line}: ${reason}`;
    const line =
      (noun) =>
      ({ places, count, reason }) =>
        at(places[0], count > 1 ? `${reason} (${counted(count, noun)})` : reason);
    const kinds = found.not_read.map(({ kind, group, count, provider }) => {
      const name = group ? `${kind}.${group}` : kind;
      return provider
        ? `${name} (${count}; convert with ingress2gateway print --providers ${provider})`
        : `${name} (${count})`;
    });
    const beyond = (isNone) =>
      found.beyond.filter(({ kind }) => (kind === "no-equivalent") === isNone).map(one("text"));
    const remarks = [
      counts.services_not_there
        ? `Not known: ${counted(counts.services_not_there, "Service")} behind HTTPRoutes not in the input; an appProtocol of h2c, ws or wss requires another feature.`
        : null,
      question.untested.length ? `Not covered by any test: ${question.untested.join(", ")}.` : null,
      counts.omitted ? `${counts.omitted} more losses are not listed.` : null,
      question.must.length === 0 ? "These objects need no feature that reports list." : null,
    ];
    const none = question.undecided.length ? "no extended feature" : "No extended feature";
    const number = extended.length ? counted(extended.length, "extended feature") : none;
    return {
      heading: `${question.undecided.length ? "Of what was read: " : ""}${number} needed by ${counted(counts.resources, "resource")}${not_read ? `; ${not_read}` : ""}`,
      ...ofIngresses(found.ingresses),
      extended: extended.map(one("feature", unwritten)),
      core,
      perhaps: found.perhaps.filter(({ apart }) => !apart).map(one("feature")),
      apart: found.perhaps.filter(({ apart }) => apart).map(one("feature")),
      beyond: beyond(false),
      noEquivalent: beyond(true),
      kept: found.kept.map(one("tool")),
      uncovered: found.uncovered.map(one("field")),
      unknown: shortened(
        [...found.unknown.map(line("object")), ...found.unknown_fields.map(line("place"))],
        "more line",
      ),
      unread: shortened(
        found.unread.map((one) => at(one, one.reason)),
        "more line",
      ),
      kinds: shortened(kinds, "more kind"),
      remarks: remarks.filter((remark) => remark),
      resources: counts.resources,
      needs: question.must.length,
    };
  }

  /** Ingresses in short. Without Ingresses, all parts are empty. */
  function ofIngresses(found) {
    if (!found) return { ingresses: null, approximate: [], ignored: [], annotations: [], others: [], convert: [] };
    const { counts } = found;
    const parts = [
      [counts.extended, "with extended features"],
      [counts.beyond, "with settings beyond the API"],
      [counts.no_equivalent, "with settings that have no equivalent"],
      [counts.unknown, "with annotations that are not read"],
      [counts.unknown_controller, "of an unknown controller"],
      [counts.other_controller, "of another controller"],
    ].filter(([count]) => count);
    const shorten = (annotation) => annotation.replace(/^.*\//, "");
    return {
      ingresses: `Ingresses: ${counts.ingresses}; ${[`${counts.core} of them only with core features`, ...parts.map(([count, what]) => `${count} ${what}`)].join(", ")}`,
      approximate: found.approximate.map((one) => ({
        name: shorten(one.annotation),
        because: one.difference,
        at: places(one),
      })),
      ignored: found.ignored.map((one) => ({
        name: shorten(one.annotation),
        because: one.reason,
        at: places(one),
      })),
      annotations: found.unknown_annotations.map((one) => ({
        name: one.annotation,
        because: one.similar ? `did you mean ${one.similar}?` : null,
        at: places(one),
      })),
      others: found.other_controllers.map((one) => ({
        name: one.controller,
        because: one.provider ? `ingress2gateway print --providers ${one.provider}` : "no converter known",
        at: places(one),
      })),
      convert: found.convert,
    };
  }

  /** A button above the answer that opens a section below it. */
  const chip = (text, target) => {
    const click = () => {
      target.closest("details").open = true;
      target.focus();
      target.scrollIntoView();
    };
    return make("li", {}, make("button", { type: "button", click }, text));
  };

  function fold(heading, ...inside) {
    const parts = inside.flat().filter((one) => one);
    return parts.length ? make("details", {}, make("summary", {}, make("h3", {}, heading)), parts) : null;
  }

  function show(found) {
    const beyond = found.beyond.length + found.noEquivalent.length;
    const others = [
      "approximate",
      "ignored",
      "annotations",
      "others",
      "kept",
      "uncovered",
      "unknown",
      "unread",
      "kinds",
    ];
    const rest = others.reduce((sum, name) => sum + found[name].length, 0);
    const folds = [
      fold(
        found.heading,
        found.ingresses ? make("p", {}, found.ingresses) : null,
        list("Extended features", null, found.extended.map(row)),
        found.core.length ? make("p", { class: "sub" }, `Core: ${found.core.join(", ")}`) : null,
        list("Possibly", null, found.perhaps.map(row)),
        list("Only used by the suite", null, found.apart.map(row)),
        found.remarks.map((remark) => make("p", { class: "sub" }, remark)),
      ),
      fold(
        `${counted(beyond, "setting")} beyond the API`,
        list(
          "Beyond the API",
          "Conformance reports do not cover these settings. Check the implementation’s documentation.",
          found.beyond.map(row),
        ),
        list("No equivalent in the API", null, found.noEquivalent.map(row)),
      ),
      fold(
        `${counted(rest, "other finding")}`,
        list("Approximate", "The equivalent in the API has a different effect.", found.approximate.map(row)),
        list("Ignored annotations of ingress-nginx", null, found.ignored.map(row)),
        list("Unknown annotations of ingress-nginx", null, found.annotations.map(row)),
        list("Other controllers", "Their annotations are not read.", found.others.map(row)),
        list("Keep working with any gateway", "Annotations of these tools.", found.kept.map(row)),
        list("Not covered by any test", null, found.uncovered.map(row)),
        list("Not known", null, found.unknown.map(line)),
        list("Not read", null, found.unread.map(line)),
        list("Kinds not read", null, found.kinds.map(line)),
        list("Convert the Ingresses", null, found.convert.map(command)),
      ),
    ];
    needed.replaceChildren(...folds.filter((one) => one));
    const names = [
      found.needs ? `${counted(found.needs, "feature")} needed` : null,
      beyond ? `${counted(beyond, "setting")} beyond the API` : null,
      rest ? counted(rest, "other finding") : null,
    ];
    const jumps = names.flatMap((name, at) => (name ? [chip(name, folds[at].firstChild)] : []));
    chips.replaceChildren(
      chip(`${counted(found.resources, "resource")} read`, folds[0].firstChild),
      ...jumps,
      chip("Change manifests", text),
    );
    input.open = false;
  }

  function refuse(...why) {
    const query = new URLSearchParams(location.search);
    const isSelected = query.has("must") || query.has("conformant");
    const said = make("p", {}, why, isSelected ? " The selection is as it was." : null);
    arrive(say("Nothing was read", said), status, free, said.textContent);
  }

  /** The page may still load its data. */
  function ask(question, method) {
    gwconform.question = question;
    gwconform.ask?.(question, method);
  }

  let turn = 0;
  function stop() {
    turn += 1;
    module.stop();
    refuse("It was stopped.");
  }

  async function find(choice) {
    turn += 1;
    const own = turn;
    status.textContent = "Reading …";
    say(
      "Reading …",
      make("p", { class: "sub" }, `The first use loads ${place.dataset.size}.`),
      make("p", { class: "actions" }, make("button", { type: "button", click: stop }, "Stop")),
    );
    let files;
    try {
      files = await read(await choice);
    } catch (error) {
      if (own === turn) refuse(error instanceof Refused ? error.message : "The files could not be read.");
      return;
    }
    const answer = await module.call("needs", files);
    if (own !== turn) return;
    if (!answer.answer) {
      refuse(prose(sentence(answer)));
      document.getElementById("needs-command").hidden = answer.isLoaded !== false;
      return;
    }
    document.getElementById("needs-command").hidden = true;
    const { question } = answer.answer.document;
    ask(question, "pushState");
    const found = inShort(answer.answer);
    show(found);
    arrive(title, status, free, found.heading);
    if (document.activeElement === title) scrollTo({ top: 0, behavior: "instant" });
    remember({ ...found, question, search: location.search });
  }

  text.addEventListener("focus", () => module.load(), { once: true });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value.trim() === "") {
      say("The text area is empty", make("p", {}, "Paste manifests, or choose or drop files."));
      status.textContent = "The text area is empty";
      text.focus();
    } else find(pasted("manifests.yaml", text.value));
  });
  const manifestsOf = (files) => files.filter(([path]) => EXTENSION.test(path));
  onChoice(form.elements.files, find);
  dropZone(document.documentElement, (files) => {
    find(files.then((all) => (all.length === 1 ? all : manifestsOf(all))));
  });
  // The answer to a question in the URL is more important than a new question.
  input.open = !location.search;
  place.hidden = false;
  const again = (found) => {
    show(found);
    if (found.search === location.search) ask(found.question);
  };
  const recalled = () => recall(again, () => needed.replaceChildren());
  recalled();
  /** The question of another entry of the history. */
  gwconform.again = () => {
    needed.replaceChildren();
    chips.replaceChildren();
    input.open = !location.search;
    recalled();
  };
  /** Manifests that were dropped on the check page. Null without access to the storage of the browser. */
  function taken() {
    try {
      const sent = sessionStorage.getItem("gwconform-manifests");
      sessionStorage.removeItem("gwconform-manifests");
      return sent;
    } catch {
      return null;
    }
  }
  const sent = taken();
  if (sent) {
    input.open = true;
    text.value = sent;
    find(pasted("manifests.yaml", sent));
  }
})();
