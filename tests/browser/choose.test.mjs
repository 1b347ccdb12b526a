// Checks the answers of find and compare against the data of the site.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answered, hits, numberIn, open, openDetails, rows, SAMPLE, tabTo, unfold } from "./site.mjs";

const root = new URL("../..", import.meta.url).pathname;

let site;
before(async () => (site = await open()));
after(() => site.close());

const query = (page) => page.evaluate(() => decodeURIComponent(location.search));
const data = (page, name) =>
  page.evaluate(async (name) => (await fetch(`/some/prefix/api/v1/${name}.json`)).json(), name);
const count = async (page, feature) =>
  Number.parseInt(await page.innerText(`li[data-feature="${feature}"] .count`), 10);

/** Whether each row supports the "nice to have" feature, by the state of the required one. */
async function wishes(page) {
  const found = await rows(page);
  const own = found.filter(({ lacks }) => lacks === 0);
  const states = [...new Set(own.map(({ glyphs }) => glyphs[0]))];
  return states.map((state) => own.filter(({ glyphs }) => glyphs[0] === state).map(({ isMet }) => isMet[1]));
}

test("find: must have and nice to have", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  await answered(page);
  await tabTo(page, 'input[name=must][value="HTTPRouteRequestMirror"]');
  await page.keyboard.press("Space");
  const all = await hits(page);
  const features = await page
    .locator("li[data-feature]")
    .evaluateAll((every) => every.map((one) => one.dataset.feature));
  let [chosen, groups] = [null, []];
  for (const feature of features) {
    const would = await count(page, feature);
    if (would === 0 || would === all.length) continue;
    await page.focus(`input[name=nice][value="${feature}"]`);
    await page.keyboard.press("Space");
    groups = await wishes(page);
    chosen = feature;
    if (groups.some((group) => new Set(group).size > 1)) break;
    await page.keyboard.press("Space");
  }
  assert.ok(groups.some((group) => new Set(group).size > 1));
  for (const group of groups)
    assert.deepEqual(
      group,
      group.toSorted((a, b) => Number(b) - Number(a)),
    );
  // "Nice to have" features do not filter.
  assert.deepEqual((await hits(page)).sort(), all.sort());
  assert.equal(await query(page), `?must=HTTPRouteRequestMirror&nice=${chosen}`);
  await page.reload();
  await answered(page);
  assert.deepEqual(await wishes(page), groups);
  assert.ok(await page.isChecked(`input[name=nice][value="${chosen}"]`));
  await page.goto(`${site.address}find/?must=HTTPRouteRequestMirror&nice=HTTPRouteCORS`);
  await answered(page);
  await unfold(page);
  // A feature is either required or nice to have, not both.
  await page.focus('input[name=must][value="HTTPRouteCORS"]');
  await page.keyboard.press("Space");
  assert.equal(await query(page), "?must=HTTPRouteCORS,HTTPRouteRequestMirror");
  const above = await page.locator(".chosen .chips button").evaluateAll((all) => all.map((one) => one.title));
  assert.deepEqual(above, ["HTTPRouteCORS", "HTTPRouteRequestMirror"]);
  await page.click('.chosen button[title="HTTPRouteRequestMirror"]');
  assert.equal(await query(page), "?must=HTTPRouteCORS");
  await page.goto(`${site.address}find/?nice=HTTPRouteCORS`);
  await answered(page);
  await unfold(page);
  assert.match(await page.innerText("#answer"), /^\d+ implementations? with HTTPRouteCORS$/);
  await page.fill("input[name=feature]", "path rewrite");
  await page.press("input[name=feature]", "Enter");
  assert.equal(await query(page), "?must=HTTPRoutePathRewrite&nice=HTTPRouteCORS");
  page.sound();
});

test("find: the number at a box is that of the implementations that match with it", async () => {
  const page = await site.page();
  const asked = "HTTPRouteRequestMirror";
  for (const feature of ["HTTPRouteCORS", "GRPCRoute", "HTTPRouteRetry", "Mesh", asked]) {
    await page.goto(`${site.address}find/?must=${asked}`);
    await answered(page);
    await unfold(page);
    const would = await count(page, feature);
    if (feature !== asked) await page.check(`input[name=must][value="${feature}"]`);
    const title = await page.innerText("#answer");
    assert.equal(numberIn(title), would, `${feature}: ${title}`);
  }
  page.sound();
});

test("find: the channel is that of the fields, as for the program", async () => {
  const page = await site.page();
  const proved = (states) => ["proved", "proved-by-log"].includes(states[0].state);
  let byOthers = 0;
  for (const feature of ["HTTPRouteCORS", "HTTPRouteRequestMirror", "HTTPRouteRetry"]) {
    for (const channel of ["standard", "experimental"]) {
      await page.goto(`${site.address}find/?must=${feature}&channel=${channel}&scope=all`);
      await answered(page);
      const words = ["features", feature, "--in", "reports", "--channel", channel, "--format", "json"];
      const { stdout } = spawnSync(process.env.GWCONFORM, words, { cwd: root, encoding: "utf8" });
      const found = JSON.parse(stdout).implementations.filter(({ profiles }) => proved(profiles));
      const names = await hits(page);
      for (const { name } of found) assert.ok(names.includes(name), `${feature} ${channel}: ${name}`);
      const own = found.filter((one) => one.channel === channel).length;
      byOthers += found.length - own;
      const said = await page.innerText(".results .sub");
      const expected = `${own} proved with ${channel} CRDs; ${found.length - own} more with experimental CRDs installed, though the field is in the ${channel} channel.`;
      if (names.length === found.length) assert.equal(said.includes(expected), own < found.length, said);
      else assert.equal(said.includes("with experimental CRDs installed"), own < found.length, said);
    }
  }
  assert.ok(byOthers > 0);
  // A number counts the implementations that still match if the feature is added, whose channel may decide.
  for (const feature of ["HTTPRouteCORS", "HTTPRouteRetry"]) {
    await page.goto(`${site.address}find/?channel=standard`);
    await answered(page);
    await unfold(page);
    const would = await count(page, feature);
    await page.check(`input[name=must][value="${feature}"]`);
    const title = await page.innerText("#answer");
    assert.equal(numberIn(title), would, `${feature}: ${title}`);
  }
  page.sound();
});

test("find: conditions alone", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  await answered(page);
  assert.equal(await page.innerText("#answer"), "No features selected");
  const { reports } = await data(page, "reports");
  await page.check("input[name=conformant]");
  await page.selectOption("select[name=scope]", "newest");
  const newest = reports.filter((one) => one.minor === "v1.6");
  const conformant = newest.filter((one) => one.profiles.some(({ status }) => status === "conformant"));
  const expected = new Set(conformant.map((one) => one.implementation)).size;
  assert.ok(expected > 0);
  assert.equal(await page.innerText("#answer"), `${expected} implementations whose report passed`);
  assert.equal((await rows(page)).length, expected);
  // A report can have passed and its implementation not be conformant, so the details say both.
  const { implementations } = await data(page, "support");
  await openDetails(page);
  const details = await page.locator(".hits .more").allInnerTexts();
  for (const [at, { implementation }] of (await rows(page)).entries()) {
    const { families } = implementations.find((one) => one.implementation === implementation);
    for (const { text } of families) assert.ok(details[at].includes(text), `${implementation}: ${details[at]}`);
  }
  // Profiles alone are a question, and without any condition there is none to answer.
  await page.goto(`${site.address}find/?profiles=GATEWAY-HTTP,GATEWAY-GRPC`);
  await answered(page);
  const isBoth = ({ profiles }) =>
    ["GATEWAY-HTTP", "GATEWAY-GRPC"].every((name) => profiles.some((one) => one.profile === name));
  const minors = (await data(page, "support")).current_minors;
  const both = reports.filter((one) => minors.includes(one.minor) && isBoth(one));
  assert.equal(numberIn(await page.innerText("#answer")), new Set(both.map((one) => one.implementation)).size);
  await page.goto(`${site.address}find/?profile=GATEWAY-TLS`);
  await answered(page);
  assert.ok((await rows(page)).length > 0);
  assert.equal(await page.getByRole("button", { name: /With any profile/ }).count(), 0);
  page.sound();
});

test("find: why not", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  const { reports } = await data(page, "reports");
  const { features } = await data(page, "features");
  const kinds = new Set();
  for (const feature of ["HTTPRouteRetry", "GRPCRoute", "TLSRoute", "HTTPRouteCORS"]) {
    await page.goto(`${site.address}find/?must=HTTPRoute,${feature}&scope=all`);
    await answered(page);
    await openDetails(page);
    const lacking = page.locator(".hits .more .lacks").filter({ hasText: /^Lacks/ });
    const texts = await lacking.locator(".states").allTextContents();
    const own = (await rows(page)).filter(({ lacks }) => lacks > 0);
    const found = own.map(({ report }, at) => [report, texts[at]]);
    assert.ok(found.length > 0, feature);
    const { since } = features.find((one) => one.feature === feature);
    for (const [id, text] of found) {
      const report = reports.find((one) => one.report === id);
      const names = report.profiles.map((one) => one.profile);
      const lists = report.profiles.flatMap(({ core, extended }) => [core, extended]).filter((one) => one);
      const denies = lists.some((one) => one.unsupported_features.includes(feature));
      if (text.includes("not part of")) {
        kinds.add("release");
        assert.match(text, new RegExp(`not part of ${report.minor} \\(since ${since.replace(/\.0$/, "")}\\)`), id);
        assert.ok(report.minor < since, `${report.minor} ${since}`);
      } else if (text.includes("did not report")) {
        kinds.add("profile");
        const missing = /did not report ([A-Z-]+)/.exec(text)[1];
        assert.ok(!names.includes(missing), `${id}: ${text}`);
      } else {
        kinds.add(denies ? "denied" : "silent");
        assert.equal(/\bunsupported:/.test(text), denies, `${id}: ${text}`);
      }
    }
  }
  assert.ok(kinds.size >= 3, [...kinds].join());
  page.sound();
});

test("find: a hundred rows, and a button for the others", async () => {
  const page = await site.page();
  await page.route(/\/support(\/\d+)?\.json$/, async (route) => {
    const answer = await (await route.fetch()).json();
    const [report] = answer.reports.filter((one) => one.minor === "v1.6");
    const copies = Array.from({ length: 150 }, (_, at) => ({ ...report, implementation: `copy-${at}` }));
    await route.fulfill({ json: { ...answer, reports: copies } });
  });
  await page.goto(`${site.address}find/?profile=GATEWAY-HTTP`);
  await answered(page);
  assert.equal((await rows(page)).length, 100);
  await page.getByRole("button", { name: "Show 50 more" }).click();
  assert.equal((await rows(page)).length, 150);
  page.sound();
});

test("find: older reports are loaded when all releases are searched", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/?must=HTTPRoute&scope=all`);
  await answered(page);
  const expected = await hits(page);
  const whole = await data(page, "support");
  const isCurrent = (one) => whole.current_minors.includes(one.minor);
  const asked = [];
  const answer = (name, isIn) =>
    page.route(`**/api/v1/${name}.json`, (route) => {
      asked.push(name);
      return route.fulfill({ json: { ...whole, reports: whole.reports.filter(isIn) } });
    });
  await answer("support", isCurrent);
  await answer("older", (one) => !isCurrent(one));
  await page.route("**/find/*", async (route) => {
    const body = await (await route.fetch()).text();
    await route.fulfill({
      contentType: "text/html",
      body: body.replace(/data-source="([^"]*)support\.json"/, '$& data-older="$1older.json"'),
    });
  });
  await page.goto(`${site.address}find/?must=HTTPResponseHeaderModification`);
  await answered(page);
  assert.match(await page.innerText(".results"), /No report for a current release lists it as supported/);
  asked.length = 0;
  await page.goto(`${site.address}find/?must=HTTPRoute,GatewayPort8080,TLSRouteModeMixed&profile=GATEWAY-GRPC`);
  await answered(page);
  assert.deepEqual(asked, ["support"]);
  const older = page.waitForResponse("**/api/v1/older.json");
  await page.getByRole("button", { name: "With reports of all releases", exact: true }).click();
  await older;
  await page.waitForURL(/scope=all/);
  assert.deepEqual(asked, ["support", "older"]);
  await page.goto(`${site.address}find/?must=HTTPRoute&scope=all`);
  await answered(page);
  assert.deepEqual(await hits(page), expected);
  page.sound();

  // A failure does not replace the answer for current releases.
  let fail;
  await page.route("**/api/v1/older.json", async (route) => {
    await new Promise((resolve) => {
      fail = resolve;
    });
    await route.abort();
  });
  await page.goto(`${site.address}find/?must=HTTPRoute&scope=all`);
  await page.getByText("Loading reports").waitFor();
  assert.match(page.url(), /scope=all/);
  assert.equal(await page.locator(".chosen button").count(), 1);
  await unfold(page);
  await page.selectOption("select[name=scope]", "");
  const current = await hits(page);
  assert.ok(current.length > 0);
  fail();
  await page.waitForEvent("requestfailed");
  assert.deepEqual(await hits(page), current);
  await page.selectOption("select[name=scope]", "all");
  await page.unroute("**/api/v1/older.json");
  await answer("older", (one) => !isCurrent(one));
  await page.getByRole("button", { name: "Try again" }).click();
  await answered(page);
  assert.deepEqual(await hits(page), expected);
  page.faults.splice(0);
});

test("find: rows have the verdicts on the profiles in words", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/?must=HTTPRoute&scope=all`);
  await answered(page);
  const { reports } = await data(page, "reports");
  const results = await page.evaluate(() => JSON.parse(document.querySelector("#find").dataset.marks).statuses);
  await openDetails(page);
  const found = await rows(page);
  const words = await page
    .locator(".hits .more")
    .evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll(".verdict-line > :first-child")].map((one) => one.textContent.slice(1).trim()).sort(),
      ),
    );
  assert.ok(found.length > 3);
  for (const [at, { report }] of found.entries()) {
    const { profiles } = reports.find((one) => one.report === report);
    const statuses = [...new Set(profiles.map((one) => results[one.status][2]))];
    assert.deepEqual(words[at], statuses.sort(), report);
  }
  page.sound();
});

test("what is compared is chosen on lists and in answers", async () => {
  for (const path of ["", "find/?must=HTTPRoute"]) {
    const page = await site.page();
    await page.goto(site.address + path);
    if (path.startsWith("find")) await answered(page);
    if (path === "") for (const one of (await page.locator(".field summary").all()).slice(0, 3)) await one.click();
    const boxes = page.locator(".pick input");
    const chosen = [await boxes.nth(0).inputValue(), await boxes.nth(2).inputValue()];
    assert.equal(await page.locator(".compare-bar").filter({ visible: true }).count(), 0);
    await boxes.nth(0).focus();
    await page.keyboard.press("Space");
    assert.match(await page.innerText(".compare-bar"), /^1 chosen; choose another/);
    await boxes.nth(2).focus();
    await page.keyboard.press("Space");
    assert.deepEqual(await page.evaluate(() => new URLSearchParams(location.search).getAll("i")), chosen);
    await page.reload();
    await page.waitForSelector(".compare-bar a");
    assert.equal(await page.locator(".pick input:checked").count(), 2);
    await tabTo(page, ".compare-bar a", 400);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/compare\//);
    await answered(page);
    const names = await page
      .locator(".columns thead .who a")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href").split("/").slice(-3, -1).join("/")));
    assert.deepEqual(
      names,
      chosen.map((one) => one.split("/").slice(0, 2).join("/")),
    );
    page.sound();
  }
});

/** What the profiles of a family say about a feature, as `[state, profile]`. */
const told = (report, family, place) =>
  report.profiles
    .filter((one) => one.family === family)
    .map((one) => [
      Object.keys(one.states).find((state) => one.states[state].includes(place)) ?? one.others,
      one.profile,
    ])
    .filter(([state]) => state !== "not-stated" && state !== "not-in-release");

/** With the profiles, if they say different things. */
const inWords = (said) => {
  const states = new Set(said.map(([state]) => state));
  return JSON.stringify(states.size > 1 ? said.toSorted() : [...states]);
};

const claims = (report, family, place) =>
  told(report, family, place).some(([state]) => state !== "unsupported" && state !== "not-claimed");

/** Whether one report supports a feature and another says that it does not. */
const differs = (some, family, place) =>
  new Set(some.filter((one) => told(one, family, place).length).map((one) => claims(one, family, place))).size > 1;

test("compare: releases that differ are named, and the numbers are those of the data", async () => {
  const page = await site.page();
  await page.goto(`${site.address}compare/`);
  const support = await data(page, "support");
  const newest = (minor) => support.reports.findLast((one) => one.minor === minor && one.profiles.length > 0);
  const [one, older] = [newest("v1.6"), newest("v1.4") ?? newest("v1.3")];
  const [first, second] = [newest("v1.5"), support.reports.find((report) => report.minor === "v1.5")];
  for (const [a, b] of [
    [one, older],
    [first, second],
  ]) {
    await page.goto(`${site.address}compare/?i=${a.report}&i=${b.report}&differences=all`);
    await answered(page);
    const notes = await page.locator(".results .note").allInnerTexts();
    const warned = notes.filter((note) => !note.startsWith("Runs "));
    assert.equal(warned.length, a.minor === b.minor ? 0 : 1);
    if (a.minor !== b.minor)
      assert.ok(warned[0].startsWith(`Reports for ${b.minor} and ${a.minor} are compared: `), warned[0]);
    let [differ, proof, apart, same] = [0, 0, 0, 0];
    for (const family of ["gateway", "mesh"]) {
      if (![a, b].every((report) => report.profiles.some((profile) => profile.family === family))) continue;
      support.features.forEach((_, place) => {
        const [left, right] = [told(a, family, place), told(b, family, place)];
        if (left.length + right.length === 0) return;
        if (left.length === 0 || right.length === 0) apart += 1;
        else if (claims(a, family, place) !== claims(b, family, place)) differ += 1;
        else if (inWords(left) !== inWords(right)) proof += 1;
        else same += 1;
      });
    }
    const summary = await page.innerText(".summary");
    const sums = (text) => {
      const sum = (pattern) => [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
      return [
        sum(/(\d+)(?: of \d+ features?[^.,;]*)? differs? in support/g),
        sum(/(\d+)(?: more| differs?| differ)? only in proof/g),
        sum(/(\d+)[^.,;]* not reported by/g),
      ];
    };
    const expected = [differ, proof, apart];
    assert.deepEqual(sums(summary), expected, summary);
    const compared = [...summary.matchAll(/(?:No difference in|of) (\d+) feature/g)].map(([, count]) => Number(count));
    assert.equal(
      compared.reduce((sum, one) => sum + one, 0),
      differ + proof + same,
      summary,
    );
    const heads = (await page.locator(".columns .g small").allInnerTexts()).join("; ");
    assert.deepEqual(sums(heads), expected, heads);
    // Differences in support come first, whatever the kind.
    const order = ["in support", "only in proof", "not reported", "the same"];
    const found = heads.split("; ").map((head) => order.findIndex((one) => head.includes(one)));
    assert.deepEqual(found, found.toSorted());
    const folded = await page.locator(".columns tr[data-same]").count();
    assert.ok(folded >= same);
    if (folded) assert.ok((await page.innerText(".fold")).includes(`(${folded} row`), await page.innerText(".fold"));
    const rows = await page.locator(".columns tbody tr:has(th .vh)").count();
    assert.equal(rows, differ + proof + apart + same);
  }
  page.sound();
});

test("compare: features of the experimental channel are named if only some runs have its CRDs", async () => {
  const page = await site.page();
  await page.goto(`${site.address}compare/`);
  const support = await data(page, "support");
  const [retry, cors] = ["HTTPRouteRetry", "HTTPRouteCORS"].map((name) =>
    support.features.findIndex(({ feature }) => feature === name),
  );
  const has = (report, place) => report.profiles.some(({ states }) => states.proved?.includes(place));
  const current = support.reports.filter(({ minor }) => minor === "v1.6");
  const experimental = current.find((one) => one.channel === "experimental" && has(one, retry));
  const standard = current.find((one) => one.channel === "standard" && has(one, cors));
  for (const [other, expected] of [
    [standard, 1],
    [experimental, 0],
  ]) {
    await page.goto(`${site.address}compare/?i=${experimental.report}&i=${other.report}`);
    await answered(page);
    const notes = await page.locator(".results .note").allInnerTexts();
    const named = notes.filter((note) => note.startsWith("Runs with standard and experimental CRDs are compared. "));
    assert.equal(named.length, expected, notes.join());
    for (const note of named) assert.ok(note.includes("HTTPRouteRetry") && !note.includes("HTTPRouteCORS"), note);
  }
  page.sound();
});

test("compare: implementations are compared by the same release and channel, differences in support first", async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await site.page({ viewport });
    await page.goto(`${site.address}compare/`);
    const support = await data(page, "support");
    const slugs = [...new Set(support.reports.map((one) => one.implementation))];
    const current = support.current_minors;
    const keys = (slug, key) =>
      support.reports.filter((one) => one.implementation === slug && current.includes(one.minor)).map(key);
    let [same, apart, gains] = [0, 0, 0];
    for (const [at, first] of slugs.entries()) {
      const second = slugs[(at + 1) % slugs.length];
      await page.goto(`${site.address}compare/?i=${first}&i=${second}`);
      await answered(page);
      const shown = await page.locator(".columns thead select").evaluateAll((all) => all.map((one) => one.value));
      const [a, b] = shown.map((id) => support.reports.find((one) => one.report === id));
      const both = (key) => keys(first, key).filter((one) => keys(second, key).includes(one));
      const common = both(({ minor, channel }) => `${minor} ${channel}`);
      if (both(({ minor }) => minor).length && common.some((one) => one.startsWith(`${a.minor} `))) {
        assert.deepEqual([a.minor, a.channel], [b.minor, b.channel], `${first} ${second}`);
        same += 1;
      } else if (a.minor !== b.minor) {
        assert.equal(both(({ minor }) => minor).length, 0, `${first} ${second}`);
        assert.match(await page.innerText(".results"), /No current release is in common/);
        apart += 1;
      }
      const families = ["gateway", "mesh"].filter((family) =>
        [a, b].every((report) => report.profiles.some((one) => one.family === family)),
      );
      const differ = families.map(
        (family) => support.features.filter((_, place) => differs([a, b], family, place)).length,
      );
      const counts = [
        ...(await page.innerText(".summary")).matchAll(/(\d+) of \d+ feature[^.,;]* differs? in support/g),
      ];
      const sum = (all) => all.reduce((sum, one) => sum + Number(one), 0);
      assert.equal(sum(counts.map(([, count]) => count)), sum(differ), `${first} ${second}`);
      // What the newest reports support of that.
      const newer = await page.getByRole("link", { name: "Compare the newest reports" }).all();
      for (const link of newer) {
        const ids = new URL(await link.getAttribute("href"), page.url()).searchParams.getAll("i");
        const note = await page.locator(".note").filter({ has: link }).innerText();
        for (const [column, id] of ids.entries()) {
          const report = support.reports.find((one) => one.report === id);
          const own = [a, b][column];
          const gained = families.flatMap((family) =>
            support.features.filter(
              (_, place) =>
                differs([a, b], family, place) && !claims(own, family, place) && claims(report, family, place),
            ),
          );
          const said = ` ${report.implementation_version} for ${report.release} supports ${gained.length} feature`;
          assert.equal(note.includes(said), report !== own && gained.length > 0, `${note} ${said}`);
          gains += gained.length;
        }
      }
      // Two reports fit on a phone.
      const table = await page.locator(".columns").boundingBox();
      assert.ok(table.x + table.width <= viewport.width, `${first} ${second}: ${table.width}`);
      if (sum(differ) === 0) continue;
      const row = page.locator(".columns tbody tr:not([data-same]):has(td)").first();
      const { y, height } = await row.boundingBox();
      // Of a tall row on a phone, the first line.
      assert.ok(y + Math.min(height, 40) <= viewport.height, `${first} ${second}: ${y} at ${viewport.width}`);
      const label = await row.locator("th .vh").innerText();
      const place = support.features.findIndex(({ feature }) => feature === label.trim());
      assert.ok(
        families.some((family) => differs([a, b], family, place)),
        label,
      );
    }
    assert.ok(same > 1 && gains > 0, `${same} ${apart} ${gains}`);
    page.sound();
  }
});

test("compare: of data in parts only those of the chosen implementations are loaded", async () => {
  const page = await site.page();
  await page.goto(`${site.address}compare/`);
  const whole = await data(page, "support");
  const slugs = [...new Set(whole.reports.map((one) => one.implementation))];
  const third = (slug) => Math.floor((slugs.indexOf(slug) * 3) / slugs.length);
  const loaded = [];
  await page.route(/\/compare\//, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text())
      .replace(
        /data-source="([^"]*)support\.json"/,
        (_, at) => `data-source="${[1, 2, 3].map((n) => `${at}support/${n}.json`).join(" ")}"`,
      )
      .replace(
        /<option value="([^"]+)" data-report/g,
        (all, slug) => `${all.replace(" data-report", "")} data-parts="${third(slug)}" data-report`,
      );
    await route.fulfill({ response: answer, body });
  });
  await page.route(/support\/\d\.json$/, (route) => {
    const part = Number(/(\d)\.json/.exec(route.request().url())[1]);
    loaded.push(part);
    const reports = whole.reports.filter((one) => third(one.implementation) === part - 1);
    return route.fulfill({ json: { ...whole, reports } });
  });
  const heads = () => page.locator(".columns thead .who").allInnerTexts();
  const [first, last] = [slugs[0], slugs.at(-1)];
  await page.goto(`${site.address}compare/?i=${first}`);
  await answered(page);
  assert.equal((await heads()).length, 1);
  assert.deepEqual(loaded, [1]);
  await page.selectOption("select[name=add]", last);
  await page.click("form button[type=submit]");
  await page.locator(".columns thead .who").nth(1).waitFor();
  assert.deepEqual(loaded, [1, 3]);
  await page.selectOption("select[name=add]", slugs[1]);
  await page.click("form button[type=submit]");
  await page.locator(".columns thead .who").nth(2).waitFor();
  assert.deepEqual(loaded, [1, 3]);
  page.sound();
});

test("findings and changes are folded, and open for what an address or a filter names", async () => {
  const page = await site.page();
  const open = () => page.locator("#findings > details[open]").evaluateAll((all) => all.map((one) => one.dataset.rule));
  await page.goto(`${site.address}findings/`);
  const rules = await page.locator("#findings > details").evaluateAll((all) => all.map((one) => one.dataset.rule));
  assert.ok(rules.length > 2);
  assert.deepEqual(await open(), []);
  const tallies = await page.locator("summary .tally").allInnerTexts();
  for (const text of tallies) assert.match(text, /^\d+ (error|warning|info)/);
  await page.goto(`${site.address}findings/?rule=${rules[1]}`);
  assert.deepEqual(await open(), [rules[1]]);
  assert.match(await page.innerText("form output"), /^\d+ of \d+ shown$/);
  await page.goto(`${site.address}findings/#${rules[2].replace("/", "-")}`);
  assert.deepEqual(await open(), [rules[2]]);
  await page.goto(`${site.address}findings/`);
  const word = await page
    .locator(".findings li p")
    .first()
    .evaluate((one) => one.textContent.trim().split(/\s+/)[0]);
  await page.fill("input[name=q]", word);
  assert.ok((await page.locator(".findings li:not([hidden])").count()) > 0);
  const own = await page.locator("#findings details:not([hidden]) .tally").allInnerTexts();
  for (const text of own) assert.match(text, /^\d+ of \d+$/);
  await page.goto(`${site.address}changes/`);
  const folds = await page.locator("main details").evaluateAll((all) => all.map((one) => one.open));
  assert.ok(folds.length > 2);
  assert.deepEqual(
    folds,
    folds.map((_, at) => at === 0),
  );
  page.sound();
});

test("compare: a family that one alone reports is named and not compared", async () => {
  const page = await site.page();
  await page.goto(`${site.address}compare/`);
  const { reports } = await data(page, "support");
  const has = (report, family) => report.profiles.some((profile) => profile.family === family);
  const both = reports.findLast((one) => has(one, "mesh") && has(one, "gateway"));
  const gateway = reports.findLast((one) => has(one, "gateway") && !has(one, "mesh"));
  await page.goto(`${site.address}compare/?i=${both.report}&i=${gateway.report}&differences=all`);
  await answered(page);
  const summary = await page.innerText(".summary");
  assert.ok((await page.innerText(".results")).includes(`Only ${both.name} reports a mesh`));
  assert.doesNotMatch(summary, /\d+ features? of a mesh/);
  const groups = await page.locator(".columns .g").allInnerTexts();
  assert.ok(groups.length > 1 && !groups.some((group) => /mesh/i.test(group)), groups.join());
  // A report without a mesh adds no difference to two that have one.
  const support = await data(page, "support");
  const other = reports.find((one) => has(one, "mesh") && one.implementation !== both.implementation);
  await page.goto(`${site.address}compare/?i=${both.report}&i=${other.report}&i=${gateway.report}`);
  await answered(page);
  const differ = support.features.filter((_, place) => differs([both, other], "mesh", place)).length;
  const ofMesh = /(\d+) of \d+ features? of a mesh differs? in support/.exec(await page.innerText(".summary"));
  assert.equal(Number(ofMesh?.[1] ?? 0), differ);
  assert.ok((await page.innerText(".results")).includes(`${gateway.name} reports no mesh.`));
  await page.goto(`${site.address}compare/?i=${both.report}`);
  await answered(page);
  assert.ok((await page.locator(".columns .g").allInnerTexts()).some((group) => /mesh/i.test(group)));
  page.sound();
});

test("find: a profile is where the features are looked for", async () => {
  const page = await site.page();
  for (const [profile, family] of [
    ["GATEWAY-GRPC", "gateway"],
    ["MESH-HTTP", "mesh"],
  ]) {
    await page.goto(`${site.address}find/?must=HTTPRouteCORS&profile=${profile}&scope=all`);
    await answered(page);
    assert.equal(await page.innerText("#answer"), "No implementation supports HTTPRouteCORS", profile);
    const { reports, releases, features } = await data(page, "support");
    const place = features.findIndex(({ feature }) => feature === "HTTPRouteCORS");
    const own = reports.filter((report) => report.profiles.some((one) => one.profile === profile));
    const without = own.filter((report) => {
      const known = releases[report.release]?.profiles.find((one) => one.profile === profile);
      return known && known.family === family && !known.feature_indexes.includes(place);
    });
    const cells = await page.locator(".by-feature tbody td").allTextContents();
    assert.equal(Number(cells[4]), without.length, `${profile}: ${cells}`);
    assert.equal(cells[5], "0", profile);
    assert.ok(without.length > 0, profile);
  }
  await page.goto(`${site.address}find/?profile=NOPE&scope=ever&channel=standard`);
  await answered(page);
  assert.match(await page.innerText(".results"), /Unknown and ignored: profile NOPE, scope ever\./);
  await page.goto(`${site.address}find/?must=Nope`);
  await answered(page);
  assert.match(await page.innerText(".results"), /Unknown and ignored: Nope\./);
  page.sound();
});

test("every cell of a matrix opens why, and leads to a place that is there", async () => {
  const page = await site.page();
  for (const path of ["matrix/v1.5/GATEWAY-HTTP/", "matrix/v1.4/GATEWAY-HTTP/"]) {
    await page.goto(site.address + path);
    const kinds = await page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll("tbody:not(.sums) td.m:not([hidden])")].map((cell) =>
          cell.className.split(" ").at(-1),
        ),
      ),
    ]);
    assert.ok(kinds.includes("no"), kinds.join());
    for (const kind of kinds) {
      const link = page.locator(`tbody:not(.sums) td.m.${kind}:not([hidden]) a`).first();
      const target = await link.evaluate((one) => one.href);
      await link.click();
      const cell = await link.evaluate((one) => one.closest("td").title);
      const text = await page.innerText(".evidence > p:nth-child(2)");
      assert.ok(cell.startsWith(text), `${text}: ${cell}`);
      const lists = await page.locator(".evidence").evaluate((box) =>
        [...box.querySelectorAll(".tests")].map((list) => ({
          head: list.parentElement.firstElementChild.textContent,
          names: [...list.children].map((one) => one.textContent),
          isFolded: list.closest("details") !== null,
        })),
      );
      const names = lists.flatMap((list) => list.names);
      assert.equal(new Set(names).size, names.length);
      for (const list of lists) {
        assert.equal(Number.parseInt(list.head, 10), list.names.length, list.head);
        assert.equal(list.isFolded, list.names.length > 12, list.head);
      }
      const passed = /^supported, (\d+) tests? passed$/.exec(cell);
      if (passed) {
        const kinds = lists.map((list) => list.head.replace(/^\d+ tests? /, "")).sort();
        assert.ok(["passed", "not run,passed"].includes(kinds.join()), kinds.join());
        const own = lists.find((list) => list.head.endsWith("passed"));
        assert.equal(own.names.length, Number(passed[1]), cell);
      }
      const skipped = /(\d+) of (\d+) tests skipped/.exec(cell);
      if (skipped) {
        const own = lists.find((list) => list.head.includes("skipped"));
        assert.equal(own.names.length, Number(skipped[1]), cell);
        assert.ok(names.length >= Number(skipped[2]), cell);
      }
      assert.equal(
        await page
          .locator(".evidence a")
          .first()
          .evaluate((one) => one.href),
        target,
      );
      await page.keyboard.press("Escape");
      const there = await page.evaluate(async (target) => {
        const text = await (await fetch(target)).text();
        const parsed = new DOMParser().parseFromString(text, "text/html");
        return parsed.getElementById(decodeURIComponent(new URL(target).hash.slice(1))) !== null;
      }, target);
      assert.ok(there, target);
    }
  }
  page.sound();
});

test("find: the answer is at the top, and the choices unfold above it", async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await site.page({ viewport });
    const support = JSON.parse(readFileSync(join(SAMPLE, "api/v1/support.json"), "utf8"));
    const every = support.features.map(({ feature }) => feature).join();
    for (const query of [
      "must=HTTPRouteRequestMirror",
      `must=${every}`,
      "must=GatewayFrontendClientCertificateValidationInsecureFallback,HTTPRouteRetry",
      "must=NoSuchFeature",
      "nice=HTTPRouteCORS",
      "conformant=yes&mesh=yes&scope=newest&channel=standard&profile=MESH-HTTP",
      `must=HTTPRouteCORS,GRPCRoute&profiles=GATEWAY-HTTP,GATEWAY-GRPC&left_out=7`,
    ]) {
      await page.goto(`${site.address}find/?${query}`);
      await answered(page);
      const top = await page.locator("#answer").evaluate((one) => one.getBoundingClientRect().top);
      assert.ok(top > 0 && top < 300, `${top} at ${viewport.width}: ${query}`);
      assert.ok(await page.isHidden("input[name=feature]"));
      // No stop of the keyboard is invisible, and no name of a column is cut.
      const faults = await page.evaluate(() => {
        const size = (one) => one.getBoundingClientRect();
        const stops = [...document.querySelectorAll("main :is(button, a, input)")].filter((one) => one.offsetParent);
        const clipped = stops.filter((one) => one.closest(".lead") || size(one).width < 2);
        const heads = [...document.querySelectorAll(".hits thead .m > div")].filter((one) => one.offsetParent);
        const cut = heads.filter(
          (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1,
        );
        // A phone has names instead of cells, and scrolls only down.
        const wide = innerWidth > 640 ? [] : [...document.querySelectorAll(".results > .scroll")];
        cut.push(...wide.filter((one) => one.scrollWidth > one.clientWidth));
        return [...clipped, ...cut].map((one) => one.outerHTML);
      });
      assert.deepEqual(faults, [], query);
    }
    await page.click(".toggle");
    assert.ok(await page.isVisible("input[name=feature]"));
    page.sound();
  }
});

test("find: a matrix, ordered by what is lacking, whose cells lead to a place that is there", async () => {
  const page = await site.page();
  const must = ["HTTPRouteRequestMirror", "HTTPRouteCORS", "GRPCRoute", "TLSRoute", "HTTPRouteRetry"];
  await page.goto(`${site.address}find/?must=${must}`);
  await answered(page);
  const found = await rows(page);
  assert.ok(new Set(found.map(({ lacks }) => lacks)).size > 2);
  assert.deepEqual(
    found.map(({ lacks }) => lacks),
    found.map(({ isMet }) => isMet.filter((is) => !is).length),
  );
  assert.deepEqual(
    found.map(({ lacks }) => lacks),
    found.map(({ lacks }) => lacks).sort((a, b) => a - b),
  );
  const heads = await page.locator(".hits thead th.m[title]").evaluateAll((all) => all.map((one) => one.title));
  assert.deepEqual(heads.sort(), must.toSorted());
  const targets = await page.locator(".hits td.m a").evaluateAll((all) => [...new Set(all.map((one) => one.href))]);
  for (const target of targets) {
    const [path, line] = decodeURIComponent(target.slice(site.address.length)).split("#");
    const text = readFileSync(join(SAMPLE, path, "index.html"), "utf8");
    assert.ok(!line || text.includes(`id="${line}"`), target);
  }
  assert.ok(targets.length > must.length);
  page.sound();
});

test("find: features to leave out are those that add most implementations", async () => {
  const page = await site.page();
  const must = ["HTTPRouteRequestMirror", "HTTPRouteCORS", "GRPCRoute", "TLSRoute"];
  await page.goto(`${site.address}find/?must=${must}`);
  await answered(page);
  const before = (await hits(page)).length;
  const named = await page.locator(".hits thead th.m[title]").evaluateAll((all) => all.map((one) => one.title));
  const offers = await page.locator("[aria-label='Relax a condition'] button").allInnerTexts();
  const without = offers.filter((text) => text.startsWith("Without "));
  assert.ok(without.length > 0, offers.join());
  // All sets of one and of two features, counted with what the rows lack.
  const lacking = (await rows(page)).map(({ isMet }) => named.filter((_, at) => !isMet[at]));
  const most = (size) => {
    const sets = named.flatMap((a) => named.map((b) => [...new Set([a, b])])).filter((set) => set.length === size);
    return Math.max(...sets.map((set) => lacking.filter((one) => one.every((name) => set.includes(name))).length));
  };
  const expected = [most(1), most(2)].filter((count, at, all) => count > (all[at - 1] ?? before));
  const counts = without.map((text) => Number(/: (\d+) implementation/.exec(text)[1]));
  assert.deepEqual(counts.slice(0, expected.length), expected, `${offers} ${JSON.stringify(lacking)}`);
  for (const [at, text] of without.entries()) {
    await page.goto(`${site.address}find/?must=${must}`);
    await answered(page);
    await page.getByRole("button", { name: text, exact: true }).click();
    assert.equal((await hits(page)).length, counts[at], text);
    assert.equal(await page.evaluate(() => document.activeElement.id), "answer");
    // Back is the question as it was, and forward the relaxed one.
    await page.goBack();
    assert.equal((await hits(page)).length, before);
    assert.deepEqual(await page.locator("[aria-label='Relax a condition'] button").allInnerTexts(), offers);
    await page.goForward();
    assert.equal((await hits(page)).length, counts[at], text);
  }
  page.sound();
});

test("find: removed features fold at the end of the list, and prereleases are marked", async () => {
  const page = await site.page();
  await page.goto(`${site.address}find/`);
  await answered(page);
  const { features, reports } = await data(page, "support");
  const removed = features.filter(({ until }) => until).map(({ feature }) => feature);
  const folded = await page
    .locator(".kind:last-child details:not([open]) [data-feature]")
    .evaluateAll((all) => all.map((one) => one.dataset.feature));
  assert.ok(removed.length > 0);
  assert.deepEqual(folded.sort(), removed.sort());
  await page.fill("input[name=feature]", removed[0]);
  assert.ok(await page.isVisible(`[data-feature="${removed[0]}"]`));
  await page.goto(`${site.address}find/?must=HTTPRoute&scope=all`);
  await answered(page);
  const marked = await page
    .locator(".hits tr:has(.chip) th small a")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href").slice("../implementations/".length, -1)));
  const shown = (await rows(page)).map(({ report }) => report);
  const expected = reports.filter((one) => one.prerelease && shown.includes(one.report));
  assert.deepEqual(marked.sort(), expected.map(({ report }) => report).sort());
  for (const { implementation_version } of expected) assert.match(implementation_version, /[a-z]/);
  await page.route(/\/support(\/\d+)?\.json$/, async (route) => {
    const answer = await (await route.fetch()).json();
    for (const one of answer.reports) one.prerelease = one.implementation === "acme/operator";
    await route.fulfill({ json: answer });
  });
  await page.goto(`${site.address}compare/?i=umbrella/operator&i=acme/operator`);
  await answered(page);
  const heads = await page.locator(".columns thead th:not(:first-child)").allInnerTexts();
  assert.deepEqual(
    heads.map((head) => head.includes("pre-release")),
    [false, true],
  );
  assert.equal(reports.find(({ implementation_version: one }) => /^v?[\d.]+$/.test(one))?.prerelease, undefined);
  page.sound();
});

test("a term is explained with the keyboard and by touch", async () => {
  const page = await site.page({ hasTouch: true });
  await page.goto(`${site.address}features/HTTPRoute/`);
  const definition = page.locator("#term-core");
  assert.equal(await definition.isVisible(), false);
  await tabTo(page, "button.term[popovertarget=term-core]");
  await page.keyboard.press("Enter");
  assert.match(await definition.innerText(), /^Core: /);
  await page.keyboard.press("Escape");
  assert.equal(await definition.isVisible(), false);
  await page.locator("button.term[popovertarget=term-core]").first().tap();
  assert.ok(await definition.isVisible());
  page.sound();
});
