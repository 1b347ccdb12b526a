// Find, from manifests: the module of the site says what they need, and the page is asked for that.

(() => {
  const { make, counted } = gwconform;
  const { isThere, open, read, onChoice, dropZone, pasted, prose, sentence, Refused } = gwconformModule;
  const place = document.getElementById("manifests");
  const form = place.querySelector("form");
  const text = form.querySelector("textarea");
  const needed = place.querySelector(".needed");
  const status = place.querySelector("[role=status]");
  const MAX_PLACES = 3;
  const EXTENSION = /\.(ya?ml|json)$/i;

  if (!isThere()) {
    document.getElementById("needs-command").hidden = false;
    return;
  }
  const module = open(place.dataset);

  function say(heading, ...inside) {
    status.textContent = heading;
    const title = make("h3", { tabindex: "-1" }, heading);
    needed.replaceChildren(title, ...inside.flat().filter((one) => one));
    return title;
  }

  /** `manifests.yaml:12 filters[0].type: CORS`, the first ones. */
  function places({ places, count }) {
    const first = places.slice(0, MAX_PLACES);
    // An alias is there each time that it is used.
    const shown = [...new Set(first.map((one) => `${one.path}:${one.line} ${one.text}`))];
    if (count > first.length) shown.push(`${count - first.length} more`);
    return make("small", {}, prose(shown.join(" · ")));
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

  const row = (name, one, ...more) => make("li", {}, make("b", {}, prose(name)), " ", ...more, places(one));

  function show({ document: found, question }) {
    const extended = found.needs.filter(({ level }) => level === "extended");
    const core = found.needs.filter(({ level }) => level === "core").map(({ feature }) => feature);
    const reason = (one) => make("li", {}, prose(`${one.path}:${one.line}: ${one.reason}`));
    const { unread, unknown } = found;
    const because = (one) => (one.because ? make("span", { class: "sub" }, prose(one.because), " ") : null);
    const remarks = [
      found.services_not_there
        ? `Not known: ${counted(found.services_not_there, "Service")} behind HTTPRoutes not in the input; an appProtocol of h2c, ws or wss there needs a feature of its own.`
        : null,
      question.untested.length ? `No test shows: ${question.untested.join(", ")}.` : null,
      question.must.length === 0 ? "Nothing here needs a feature that reports list." : null,
    ].filter((one) => one);
    const notRead = unread.length ? `; ${counted(unread.length, "document")} not read` : "";
    const title = say(
      `${counted(extended.length, "extended feature")} needed by ${counted(found.resources, "resource")}${notRead}`,
      list(
        "Extended features",
        null,
        extended.map((one) => row(one.feature, one)),
      ),
      core.length ? make("p", { class: "sub" }, `Core: ${core.join(", ")}`) : null,
      list(
        "Perhaps",
        "These exclude no implementation.",
        found.perhaps.map((one) => row(one.feature, one, because(one))),
      ),
      list(
        "Beyond the API",
        "No report can tell who has it: look it up in the implementation’s documentation.",
        found.beyond.map((one) => row(one.text, one)),
      ),
      list(
        "No test shows who has it",
        null,
        found.uncovered.map((one) => row(one.name, one)),
      ),
      list("Not known", null, unknown.map(reason)),
      list("Not read", null, unread.map(reason)),
      remarks.map((remark) => make("p", { class: "sub" }, remark)),
      question.must.length
        ? make("p", { class: "actions" }, make("a", { href: "#answer" }, "Implementations with all of these features"))
        : null,
    );
    // On a phone the answer is below the window.
    if ([document.body, text, form.querySelector("[type=submit]")].includes(document.activeElement)) title.focus();
  }

  let turn = 0;
  async function find(choice) {
    turn += 1;
    const own = turn;
    say("Reading …", make("p", { class: "sub" }, `The first use loads ${place.dataset.size}.`));
    const refuse = (...why) => say("Nothing was read", make("p", {}, why));
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
    gwconform.ask?.(answer.answer.question);
    show(answer.answer);
  }

  text.addEventListener("focus", () => module.load(), { once: true });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value.trim() === "") text.focus();
    else find(pasted("manifests.yaml", text.value));
  });
  const manifestsOf = (files) => files.filter(([path]) => EXTENSION.test(path));
  onChoice(form.elements.files, find);
  onChoice(form.elements.folder, (files) => find(manifestsOf(files)));
  dropZone(document.documentElement, (files) => {
    find(files.then((all) => (all.length === 1 ? all : manifestsOf(all))));
  });
  place.hidden = false;
})();
