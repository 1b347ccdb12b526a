// Servers show the page for any URL, so its relative links are broken. The site is in the nearest folder above the URL
// that contains the data. If the base URL of the site is configured, the page does not need this script.
(async () => {
  const folders = location.pathname
    .split("/")
    .slice(0, -1)
    .filter((folder) => folder);
  for (let count = folders.length; count >= 0; count -= 1) {
    const root = new URL(["", ...folders.slice(0, count), ""].join("/").replace("//", "/"), location.origin);
    const answer = await fetch(new URL("api/v1/index.json", root), { method: "HEAD" }).catch(() => null);
    // Some servers answer every URL with a page.
    if (!answer?.ok || !/json/.test(answer.headers.get("content-type"))) continue;
    for (const name of ["href", "action"]) {
      for (const one of document.querySelectorAll(`a[${name}], form[${name}]`)) {
        const target = one.getAttribute(name);
        if (!target.startsWith("#")) one.setAttribute(name, new URL(target, root).href);
      }
    }
    const { dataset } = document.querySelector("form.lookup");
    dataset.scripts = dataset.scripts.replace(/\S+/g, (path) => new URL(path, root).href);
    const script = document.createElement("script");
    script.src = new URL(document.querySelector("script[data-page]").dataset.page, root).href;
    document.head.append(script);
    return;
  }
})();
