// Checks that every page is reachable from the first one, and that all links and assets exist.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, paths } from "./site.mjs";

let site;
before(async () => (site = await open()));
after(() => site.close());

test("every link leads somewhere, and to every page", async () => {
  const page = await site.page();
  await page.goto(site.address);
  const ids = new Map();
  const statuses = new Map();
  const wanted = [];
  const queue = [site.address];
  const seen = new Set(queue);
  while (queue.length) {
    const address = queue.pop();
    const answer = await fetch(address);
    statuses.set(address, answer.status);
    if (!answer.headers.get("content-type").startsWith("text/html") || answer.status !== 200) continue;
    const text = await answer.text();
    const found = await page.evaluate(
      ({ text }) => {
        const document = new DOMParser().parseFromString(text, "text/html");
        return {
          ids: [...document.querySelectorAll("[id]")].map((one) => one.id),
          links: [...document.querySelectorAll("[href], [src]")].map(
            (one) => one.getAttribute("href") ?? one.getAttribute("src"),
          ),
        };
      },
      { text },
    );
    assert.equal(new Set(found.ids).size, found.ids.length, `${address}: an id stands there twice`);
    ids.set(address, new Set(found.ids));
    for (const link of found.links) {
      const target = new URL(link, address);
      if (target.origin !== new URL(address).origin) {
        assert.match(target.protocol, /^(https?|mailto):$/, `${address}: ${link}`);
        continue;
      }
      assert.ok(target.href.startsWith(site.address), `${address}: ${link} leaves the site`);
      const id = decodeURIComponent(target.hash.slice(1));
      target.hash = target.search = "";
      wanted.push({ from: address, link, to: target.href, id });
      if (!seen.has(target.href)) {
        seen.add(target.href);
        queue.push(target.href);
      }
    }
  }
  const broken = wanted.filter(({ to, id }) => statuses.get(to) !== 200 || (id && !ids.get(to)?.has(id)));
  assert.deepEqual([...new Set(broken.map(({ from, link }) => `${from}: ${link}`))], []);
  const reached = [...ids.keys()].map((address) => address.slice(site.address.length)).sort();
  assert.deepEqual(reached, paths(), "pages that no link leads to");
  assert.ok(reached.length > 100);
});
