// Badges page: shows a preview and the markup to paste, with the URL of the site.

(() => {
  const { root, make, keep, kept, copier, snippet } = gwconform;
  const picker = document.querySelector(".picker");
  const form = picker.querySelector("form");
  const fields = ["i", "about", "markup"].map((name) => form.elements[name]);
  const subjects = JSON.parse(form.dataset.subjects);
  const base = form.dataset.base || root;
  // Keep the size of the loaded image, so that the layout does not move while the next one loads.
  const size = () => Object.assign(image, { width: image.naturalWidth, height: image.naturalHeight });
  const image = make("img", { height: "20", alt: "", load: size });
  const text = make("pre", { tabindex: "0", role: "region", "aria-label": "Markup" });

  function show() {
    const [implementation, about, markup] = fields.map((field) => field.selectedOptions[0]);
    const subject = subjects[implementation.dataset.subjects.split(" ")[about.index]];
    const alternative = `${subject} conformance of ${implementation.dataset.name}`;
    const path = `${implementation.value}${about.value && `/${about.value}`}.svg`;
    image.src = path;
    image.alt = alternative;
    const link = `${base}implementations/${implementation.value}/`;
    text.textContent = snippet(markup.value || "markdown", alternative, `${base}badges/${path}`, link).trimEnd();
  }

  if (fields[0].options.length === 0) return;
  for (const field of fields) {
    const was = kept(field.name);
    if ([...field.options].some((option) => option.value === was)) field.value = was;
  }
  form.addEventListener("change", () => {
    show();
    keep(Object.fromEntries(fields.map((field) => [field.name, field.value])));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.after(
    make("p", { class: "preview" }, image),
    text,
    copier("Copy", () => text.textContent),
  );
  show();
  picker.hidden = false;
})();
