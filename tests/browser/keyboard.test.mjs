// Checks the scripts with the keyboard only: results, URLs and copied text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, copied, hits, numberIn, open, rows, tabTo } from "./site.mjs";

let site;
before(async () => (site = await open()));
after(() => site.close());

const query = (page) => page.evaluate(() => decodeURIComponent(location.search));
const shown = (page, selector) => page.locator(selector).filter({ visible: true });

test("the filters of the home page", async () => {
  const page = await site.page();
  await page.goto(site.address);
  const rows = ".field tbody";
  const total = await page.locator(rows).count();
  assert.ok(total > 10);
  await tabTo(page, "input[name=q]");
  await page.keyboard.type("acme");
  assert.equal(await shown(page, rows).count(), 1);
  assert.equal(await page.innerText("form output"), `1 of ${total} shown`);
  assert.equal(await query(page), "?q=acme");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await tabTo(page, "select[name=family]");
  await page.keyboard.type("mesh");
  const meshes = await shown(page, `${rows} > tr:first-child > th`).allInnerTexts();
  const marked = await page.locator(`${rows}:has(td.c:nth-last-child(2):not(:empty)) > tr:first-child > th`);
  assert.deepEqual(meshes, await marked.allInnerTexts());
  assert.ok(meshes.length > 0 && meshes.length < total);
  assert.equal(await query(page), "?family=mesh");
  await page.reload();
  assert.equal(await shown(page, rows).count(), meshes.length);
  await page.selectOption("select[name=family]", "");
  await tabTo(page, "input[name=feature]");
  await page.keyboard.type("httproutecors");
  // Compares with the data: implementations that support the feature in a report for their newest minor.
  const expected = await page.evaluate(async () => {
    const { features } = await (await fetch("api/v1/features/HTTPRouteCORS.json")).json();
    return features[0].implementations.filter((one) => one.since !== null).map((one) => one.name);
  });
  const names = await shown(page, `${rows} > tr:first-child > th a`).allInnerTexts();
  assert.deepEqual(names.toSorted(), expected.toSorted());
  assert.ok(names.length > 0 && names.length < total);
  await page.fill("input[name=feature]", "no such feature");
  assert.equal(await page.innerText("form output"), `Nothing fits, ${total} hidden`);
  page.sound();
});

test("the first tab stop leads to the content", async () => {
  const page = await site.page();
  await page.goto(site.address);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("href")), "#main");
  page.sound();
});

test("find: who supports what, by one report", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  await answered(page);
  await tabTo(page, "input[name=feature]");
  await page.keyboard.type("request mirror");
  await tabTo(page, 'input[value="HTTPRouteRequestMirror"]');
  await page.keyboard.press("Space");
  assert.equal(await query(page), "?must=HTTPRouteRequestMirror");
  // Computes the expected answer independently.
  const expected = await page.evaluate(async () => {
    const minors = (await (await fetch("../api/v1/support.json")).json()).current_minors;
    const reports = (await (await fetch("../api/v1/reports.json")).json()).reports;
    const index = await (await fetch("../api/v1/index.json")).json();
    const claims = new Map();
    for (const { path } of index.files.filter(({ path }) => /matrix\/.*\.json$/.test(path))) {
      const matrix = await (await fetch(`../${path}`)).json();
      if (!minors.includes(matrix.minor)) continue;
      for (const row of matrix.features) {
        row.cells.forEach((cell, at) => {
          if (!["proved", "partly-seen", "not-seen", "skipped", "no-test", "claimed"].includes(cell.state)) return;
          const id = matrix.reports[at].report;
          claims.set(id, [...(claims.get(id) ?? []), row.feature]);
        });
      }
    }
    const has = (features) =>
      [
        ...new Set(
          reports
            .filter(({ report }) => features.every((one) => claims.get(report)?.includes(one)))
            .map(({ implementation }) => implementation),
        ),
      ].sort();
    return { one: has(["HTTPRouteRequestMirror"]), two: has(["HTTPRouteRequestMirror", "GRPCRoute"]) };
  });
  const hits = async () =>
    (await rows(page))
      .filter(({ lacks }) => lacks === 0)
      .map(({ implementation }) => implementation)
      .sort();
  assert.ok(expected.one.length > expected.two.length && expected.two.length > 0, JSON.stringify(expected));
  assert.deepEqual(await hits(), expected.one);
  await page.goto(`${site.address}find/?must=HTTPRouteRequestMirror,GRPCRoute`);
  await answered(page);
  assert.deepEqual(await hits(), expected.two);
  const title = await page.innerText("#answer");
  assert.equal(numberIn(title), expected.two.length);
  assert.match(title, / supports? both features$/);
  // Proved features come first, then results that were not seen, then claims.
  const states = (await rows(page)).filter(({ lacks }) => lacks === 0).map(({ glyphs }) => glyphs);
  const worst = states.map((all) => Math.max(...all.map((one) => "●⬤◉◎◈◇◐".indexOf(one))));
  assert.deepEqual(worst, worst.toSorted());
  await page.click(".toggle");
  await tabTo(page, ".chips button");
  await page.keyboard.press("Enter");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".chips button")));
  assert.ok(["?must=HTTPRouteRequestMirror", "?must=GRPCRoute"].includes(await query(page)));
  page.sound();
});

test("find: newest release, conformant, and also a mesh", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/?must=HTTPRouteRequestMirror`);
  await answered(page);
  await page.click(".toggle");
  const names = () => hits(page);
  const before = await names();
  for (const name of ["conformant", "mesh"]) {
    await tabTo(page, `input[name=${name}]`);
    await page.keyboard.press("Space");
  }
  await page.selectOption("select[name=scope]", "newest");
  assert.equal(await query(page), "?must=HTTPRouteRequestMirror&scope=newest&conformant=yes&mesh=yes");
  const after = await names();
  assert.ok(after.length < before.length, `${before} ${after}`);
  const data = await page.evaluate(async () => (await fetch("../api/v1/support.json")).json());
  const named = new Map(data.reports.map((report) => [report.implementation, report.name]));
  const meshes = data.reports
    .filter((report) => report.minor === "v1.6" && report.profiles.some((one) => one.profile.startsWith("MESH")))
    .map((report) => named.get(report.implementation));
  for (const name of after) assert.ok(meshes.includes(name), `${name} is no mesh`);
  await page.reload();
  await page.waitForFunction(() => document.querySelector("input[name=mesh]")?.checked);
  await answered(page);
  assert.deepEqual(await names(), after);
  page.sound();
});

test("find: nobody, and why", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  const { never, retry } = await page.evaluate(async () => {
    const data = await (await fetch("../api/v1/support.json")).json();
    const claims = ["proved", "partly-seen", "not-seen", "skipped", "no-test", "claimed", "failed"];
    const claimed = new Map();
    for (const report of data.reports) {
      for (const { states } of report.profiles) {
        for (const state of claims)
          for (const place of states[state] ?? []) claimed.set(place, [...(claimed.get(place) ?? []), report]);
      }
    }
    const never = data.features.find(({ since }, place) => since && !claimed.has(place));
    const retry = claimed.get(data.features.findIndex(({ feature }) => feature === "HTTPRouteRetry")) ?? [];
    return { never, retry: retry.map(({ channel, implementation }) => [channel, implementation]) };
  });
  await page.goto(`${site.address}find/?must=${never.feature}`);
  await answered(page);
  assert.equal(await page.innerText("#answer"), `No implementation supports ${never.feature}`);
  assert.ok((await page.innerText(".results")).includes(`${never.feature} was added in Gateway API ${never.since}`));
  // Only experimental reports support HTTPRouteRetry, so the page offers to relax the channel.
  assert.ok(retry.length > 0 && retry.every(([channel]) => channel === "experimental"));
  await page.goto(`${site.address}find/?must=HTTPRouteRetry&channel=standard&profile=GATEWAY-HTTP`);
  await answered(page);
  assert.equal(await page.innerText("#answer"), "No implementation supports HTTPRouteRetry");
  await tabTo(page, '[aria-label="Relax a condition"] button');
  await page.keyboard.press("Enter");
  assert.equal(await query(page), "?must=HTTPRouteRetry&profile=GATEWAY-HTTP");
  const implementations = new Set(retry.map(([, implementation]) => implementation)).size;
  assert.equal(numberIn(await page.innerText("#answer")), implementations);
  await page.goto(`${site.address}find/?must=NoSuchFeature,%3Cb%3E`);
  await answered(page);
  assert.match(await page.innerText(".results"), /NoSuchFeature, <b>/);
  page.sound();
});

test("find: link and Markdown", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/?must=HTTPRouteRequestMirror`);
  await answered(page);
  await tabTo(page, ".actions .copier:nth-child(1) button");
  await page.keyboard.press("Enter");
  await page.getByText("Copied").waitFor();
  assert.equal(await copied(page), await page.evaluate(() => location.href));
  await tabTo(page, ".actions .copier:nth-child(2) button");
  await page.keyboard.press("Enter");
  await page.locator(".copier:nth-child(2) .copied", { hasText: "Copied" }).waitFor();
  const markdown = await copied(page);
  const { length } = await rows(page);
  assert.equal(markdown.split("\n").filter((line) => line.startsWith("- [")).length, length);
  assert.ok(markdown.includes(`(${site.address}implementations/acme/operator/)`), markdown);
  page.sound();
});

test("find and compare say what went wrong", async () => {
  for (const path of ["find/?must=HTTPRouteCORS", "compare/?i=acme/operator"]) {
    const page = await site.page();
    await page.route("**/support.json", (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto(site.address + path);
    await page.getByText("the server answered 503").waitFor();
    page.faults.length = 0;
    await page.unroute("**/support.json");
    await tabTo(page, ".results button");
    await page.keyboard.press("Enter");
    await answered(page);
    assert.ok((await page.locator(".results table").count()) > 0, path);
    page.sound();
  }
});

test("compare: add, choose another report, remove", async () => {
  const page = await site.page();
  await page.goto(`${site.address}compare/`);
  await answered(page);
  for (const [typed, slug] of [
    ["acme", "acme/operator"],
    ["umbrella", "umbrella/operator"],
  ]) {
    await tabTo(page, "select[name=add]");
    await page.keyboard.type(typed);
    assert.equal(await page.locator("select[name=add]").inputValue(), slug);
    await tabTo(page, "form button");
    await page.keyboard.press("Enter");
  }
  assert.equal(await query(page), "?i=acme/operator&i=umbrella/operator");
  const rows = shown(page, ".columns tbody tr:not(.g)");
  const folded = await rows.count();
  assert.equal(await page.locator(".columns tr[data-same]:not([hidden])").count(), 0);
  await tabTo(page, ".fold input");
  await page.keyboard.press("Space");
  assert.ok((await rows.count()) > folded);
  assert.match(await query(page), /differences=all/);
  await page.reload();
  await answered(page);
  assert.ok((await rows.count()) > folded);
  const wrong = await page.evaluate(async () => {
    const data = await (await fetch("../api/v1/support.json")).json();
    const words = JSON.parse(document.getElementById("compare").dataset.marks).states;
    const heads = [...document.querySelectorAll(".columns thead th:not(:first-child) div:nth-child(2) a")].map((one) =>
      one.getAttribute("href").slice("../implementations/".length, -1),
    );
    const faults = [];
    for (const [column, id] of heads.entries()) {
      const report = data.reports.find((one) => one.report === id);
      for (const row of document.querySelectorAll(".columns tbody tr:not(.g)")) {
        const name = row.querySelector("th .vh")?.textContent.trim();
        const place = data.features.findIndex((one) => one.feature === name);
        if (place < 0) continue;
        const cell = row.cells[column + 1].textContent;
        const states = new Set(
          report.profiles.map(
            (one) => Object.entries(one.states).find(([, all]) => all.includes(place))?.[0] ?? one.others,
          ),
        );
        const isSaid = (one) =>
          one === "not-in-release" ? /not part of|did not report/.test(cell) : cell.includes(words[one][2]);
        if (![...states].some(isSaid) && !cell.includes("profile not reported")) faults.push(`${id} ${name}: ${cell}`);
      }
    }
    return faults;
  });
  assert.deepEqual(wrong, []);
  await tabTo(page, ".columns thead select");
  const before = await page.locator("#column-0").inputValue();
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await page.locator("#column-0").inputValue(), before);
  assert.ok(await page.evaluate(() => document.activeElement.id === "column-0"));
  assert.match(await query(page), /\bi=acme\/operator\/v/);
  await tabTo(page, ".remove");
  await page.keyboard.press("Enter");
  assert.equal((await query(page)).replace(/differences=all&/, ""), "?i=umbrella/operator");
  page.sound();
});

test("compare: Markdown", async () => {
  const page = await site.page();
  await page.goto(`${site.address}compare/?i=acme/operator&i=umbrella/operator`);
  await answered(page);
  await tabTo(page, ".actions .copier:nth-child(2) button");
  await page.keyboard.press("Enter");
  await page.locator(".copied", { hasText: "Copied" }).waitFor();
  const lines = (await copied(page)).split("\n").filter((line) => line.startsWith("|"));
  assert.equal(lines.length, 2 + (await shown(page, ".columns tbody tr:not(.g)").count()));
  for (const line of lines) assert.equal(line.match(/(?<!\\)\|/g).length, 4, line);
  page.sound();
});

test("the badge picker", async () => {
  const page = await site.page();
  await page.goto(`${site.address}badges/?i=umbrella/operator`);
  assert.equal(await page.locator("select[name=i]").inputValue(), "umbrella/operator");
  await tabTo(page, "select[name=about]");
  await page.keyboard.type("v1.5");
  await tabTo(page, "select[name=markup]");
  await page.keyboard.type("HTML");
  assert.equal(await query(page), "?i=umbrella/operator&about=v1.5&markup=html");
  const expected = `<a href="${site.address}implementations/umbrella/operator/"><img src="${site.address}badges/umbrella/operator/v1.5.svg" alt="Gateway API v1.5 conformance of `;
  assert.ok((await page.innerText(".picker pre")).startsWith(expected), await page.innerText(".picker pre"));
  await page.waitForFunction(() => document.querySelector(".preview img").naturalWidth > 80);
  const sizes = await page
    .locator(".preview img")
    .evaluate((one) => [
      Number(one.getAttribute("width")) - one.naturalWidth,
      Number(one.getAttribute("height")) - one.naturalHeight,
    ]);
  assert.deepEqual(sizes, [0, 0]);
  await tabTo(page, ".picker .copier button");
  await page.keyboard.press("Enter");
  await page.locator(".copied", { hasText: "Copied" }).waitFor();
  assert.equal(await copied(page), await page.innerText(".picker pre"));
  page.sound();
});

test("a badge's Markdown on the page of its implementation", async () => {
  const page = await site.page();
  await page.goto(`${site.address}implementations/acme/operator/`);
  await tabTo(page, "pre + .copier button");
  await page.keyboard.press("Enter");
  await page.locator(".copied", { hasText: "Copied" }).first().waitFor();
  assert.match(
    await copied(page),
    new RegExp(
      `^\\[!\\[Gateway API.*\\]\\(${site.address}badges/acme/operator\\.svg\\)\\]\\(${site.address}implementations/acme/operator/\\)$`,
    ),
  );
  page.sound();
});

test("a matrix without what is the same", async () => {
  const page = await site.page();
  await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
  const same = await page.locator("tr[data-same]").count();
  assert.ok(same > 0);
  await tabTo(page, ".fold input");
  await page.keyboard.press("Space");
  assert.equal(await shown(page, "tr[data-same]").count(), 0);
  assert.equal(await query(page), "?differences=only");
  for (const body of await page.locator("table[data-differences] tbody").all()) {
    if (await body.isVisible()) assert.ok((await shown(body, "tr:not(.g)").count()) > 0);
  }
  await page.reload();
  assert.equal(await shown(page, "tr[data-same]").count(), 0);
  page.sound();
});

test("a matrix: columns are folded, chosen and sorted, a cell opens its evidence", async () => {
  const page = await site.page();
  await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
  const visible = async () => shown(page, ".run .m").count();
  const all = await page.locator(".run .m").count();
  const groups = await page.locator(".who .g").count();
  assert.ok(all > groups);
  assert.equal(await visible(), groups);
  await tabTo(page, ".matrix-tools input[id^=modes]");
  await page.keyboard.press("Space");
  assert.equal(await visible(), all);
  assert.equal(await query(page), "?modes=all");
  await page.selectOption(".matrix-tools select", "count");
  const counts = await page.locator(".who .g").evaluateAll((heads) => heads.map((head) => Number(head.dataset.count)));
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => b - a),
  );
  await page.click(".matrix-tools summary");
  await page.check('.matrix-tools input[value="acme/operator"]');
  assert.equal(await query(page), "?columns=acme/operator&modes=all&order=count");
  await page.reload();
  const slugs = await shown(page, ".run .m").evaluateAll((heads) => heads.map((head) => head.dataset.slug));
  assert.deepEqual([...new Set(slugs)], ["acme/operator"]);
  const link = shown(page, "td.m a").first();
  const target = await link.getAttribute("href");
  assert.match(target, /implementations\/acme\/operator\/.*#f-/);
  await link.focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".evidence a").first().getAttribute("href"), new URL(target, page.url()).href);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".evidence").count(), 0);
  assert.ok(await link.evaluate((one) => one === document.activeElement));
  page.sound();
});

test("the counts of a matrix do not depend on its columns, and another one is shown in the same way", async () => {
  const page = await site.page();
  await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
  const counts = () => page.locator("tbody:not(.sums) tr td.x").allTextContents();
  const all = await counts();
  assert.match(
    all.find((count) => count),
    /^\d+\/\d+/,
  );
  await page.check(".matrix-tools input[id^=modes]");
  assert.deepEqual(await counts(), all);
  await page.uncheck(".matrix-tools input[id^=modes]");
  await page.click(".matrix-tools summary");
  await page.check('.matrix-tools input[value="acme/operator"]');
  assert.deepEqual(await counts(), all);
  assert.match(await page.innerText("p.shown"), /^1 of \d+ implementations shown/);
  await page.click('.choices a:text-is("v1.4")');
  await page.waitForURL(/matrix\/v1.4\/GATEWAY-HTTP\/(index.html)?\?columns=acme\/operator$/);
  page.sound();
});

test("a phone shows the best columns of a matrix, and says that there are more", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await site.page({ javaScriptEnabled, viewport: { width: 390, height: 800 } });
    await page.goto(`${site.address}matrix/v1.5/GATEWAY-HTTP/`);
    const all = await page.locator(".who .g").count();
    assert.ok(all > 3);
    assert.match(await page.innerText("p.shown"), new RegExp(`^3 of ${all} implementations shown`));
    const ranks = await page
      .locator(".who .g")
      .evaluateAll((heads) => heads.map(({ dataset }) => [dataset.slug, dataset.standing * 1000 + +dataset.count]));
    const seen = await shown(page, ".run .m").evaluateAll((heads) => heads.map((head) => head.dataset.slug));
    const rank = (slug) => ranks.find(([own]) => own === slug)[1];
    const others = ranks.filter(([slug]) => !seen.includes(slug)).map(([, value]) => value);
    assert.ok(Math.min(...seen.map(rank)) >= Math.max(...others), seen.join());
    if (!javaScriptEnabled) continue;
    assert.deepEqual(
      seen.map(rank),
      seen.map(rank).sort((a, b) => b - a),
    );
    page.sound();
  }
});

test("a table is sorted by its heads", async () => {
  const page = await site.page();
  await page.goto(`${site.address}implementations/acme/operator/`);
  const column = async () =>
    page
      .locator("table[data-sort] tbody tr")
      .evaluateAll((rows) => rows.map((row) => row.cells[1].firstChild.textContent.trim()));
  const before = await column();
  await tabTo(page, "table[data-sort] th:nth-child(2) .sorter");
  await page.keyboard.press("Enter");
  const order = new Intl.Collator("en", { numeric: true });
  const sorted = [...before].sort(order.compare);
  assert.deepEqual(
    (await column()).map((one) => one.split(",")[0]),
    sorted.map((one) => one.split(",")[0]),
  );
  assert.equal(await page.getAttribute("table[data-sort] th:nth-child(2)", "aria-sort"), "ascending");
  await page.keyboard.press("Enter");
  assert.deepEqual(
    (await column()).map((one) => one.split(",")[0]),
    sorted.map((one) => one.split(",")[0]).reverse(),
  );
  assert.equal(await query(page), "?sort=-2");
  await page.reload();
  assert.equal(await page.getAttribute("table[data-sort] th:nth-child(2)", "aria-sort"), "descending");
  page.sound();
});

test("features sorted by a release are one list, the most supported first", async () => {
  const page = await site.page();
  await page.goto(`${site.address}features/`);
  const groups = await page.locator("#features .g").count();
  const shown = () =>
    page
      .locator("#features tbody tr:not(.g)")
      .evaluateAll((rows) =>
        rows
          .filter((row) => row.checkVisibility())
          .map((row) => [row.querySelector("th").innerText.split("\n")[0], row.cells[3].textContent.trim()]),
      );
  const before = await shown();
  await tabTo(page, "#features th:nth-child(4) .sorter");
  await page.keyboard.press("Enter");
  assert.equal(await query(page), "?sort=-4");
  const after = await shown();
  assert.equal(after.length, before.length);
  assert.equal(await page.locator("#features .g:visible").count(), 0);
  const numbers = after.map(([, text]) => (text.includes("/") ? Number(text.split("/")[0]) : -1));
  assert.ok(new Set(numbers).size > 2);
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => b - a),
  );
  // Sorting removes the group headings, so names include the resource.
  assert.ok(
    after.some(([name]) => name === "HTTPRoute CORS"),
    after.join("; "),
  );
  await page.reload();
  assert.deepEqual(await shown(), after);
  await page.keyboard.press("Escape");
  await tabTo(page, "#features th:nth-child(4) .sorter");
  await page.keyboard.press("Enter");
  const ascending = (await shown()).map(([, text]) => text);
  const reported = ascending.filter((text) => text.includes("/"));
  assert.deepEqual(ascending.slice(0, reported.length), reported);
  await tabTo(page, "#features th:nth-child(1) .sorter");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#features .g:visible").count(), groups);
  page.sound();
});
