// Checks the search box: usual queries with the index of the sample site, in Node and in a browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";
import { HOSTILE, open, SAMPLE } from "./site.mjs";

const MOST_COMPRESSED = 40_000;
/** Index of the tree of real reports. */
const MOST_BYTES = 110_000;

/** Query, and the first entry or the answer about the API. */
const QUERIES = [
  ["acme", "Acme Operator"],
  ["acme/operator", "Acme Operator"],
  ["umbrella-operator", "Umbrella Operator"],
  ["skyquay engine", "Skyquay Load Balancer"],
  ["sqe", "Skyquay Load Balancer"],
  ["routelom", "? Routeloom"],
  ["cidner", "? Cinder"],
  ["ingress-nginx", "Find by manifests"],
  ["mtls", "GatewayFrontendClientCertificateValidation"],
  ["mutual tls", "GatewayFrontendClientCertificateValidation"],
  ["canary", "HTTPRoute"],
  ["traffic splitting", "HTTPRoute"],
  ["blue-green", "HTTPRoute"],
  ["retries", "HTTPRouteRetry"],
  ["retry", "HTTPRouteRetry"],
  ["passthrough", "TLSRoute"],
  ["cors", "HTTPRouteCORS"],
  ["websockets", "HTTPRouteBackendProtocolWebSocket"],
  ["timeouts", "HTTPRouteRequestTimeout"],
  ["timout", "? HTTPRouteBackendTimeout"],
  ["request timeout", "HTTPRouteRequestTimeout"],
  ["header modification", "HTTPRouteResponseHeaderModification"],
  ["rewriting", "HTTPRouteHostRewrite"],
  ["path rewrite", "HTTPRoutePathRewrite"],
  ["mirroring", "HTTPRouteRequestMirror"],
  ["https redirect", "HTTPRouteSchemeRedirect"],
  ["tls", "TLSRoute"],
  ["h2c", "HTTPRouteBackendProtocolH2C"],
  ["http route", "HTTPRoute"],
  ["HTTPRouteWeight", "HTTPRouteWeight"],
  ["report/date", "report/date"],
  ["v1.5", "v1.5 GATEWAY-HTTP"],
  ["v1.5.1", "v1.5 GATEWAY-HTTP"],
  ["grpc v1.5", "v1.5 GATEWAY-GRPC"],
  ["2162", "GEP-2162: Supported features"],
  ["GEP-1364", "GEP-1364: Status and conditions"],
  ["gep 1767", "GEP-1767: CORS filter"],
  ["badges", "Badges"],
  ["rate limit", "= Rate limits"],
  ["ratelimting", "? Rate limits"],
  ["limit-rps", "= Rate limits"],
  ["auth", "= Authentication"],
  ["oauth2", "= Authentication"],
  ["waf", "= Web application firewall"],
  ["sticky sessions", "= Session affinity"],
  ["xyzzy", null],
  ["", null],
  ["<>", null],
];

/**
 * Queries for the tree of real reports, and the first answer: an entry, `= note`, `@ product feature` (`@ feature` for
 * all products), `vs` with the products that are compared, `? guess`, or null.
 */
const ANSWERS = [
  ["istio retry", "@ istio/istio HTTPRouteRetry"],
  ["does istio support retries", "@ istio/istio HTTPRouteRetry"],
  ["cilium cors", "@ cilium/cilium HTTPRouteCORS"],
  ["gke tlsroute", "@ gke/gke-gateway TLSRoute"],
  ["gke tls passthrough", "@ gke/gke-gateway TLSRoute"],
  ["kong websocket", "@ kong/kong-operator HTTPRouteBackendProtocolWebSocket"],
  ["traefik grpc", "@ traefik/traefik GRPCRoute"],
  ["does cilium do tcp", "@ cilium/cilium TCPRoute"],
  ["envoy gateway retry", "@ envoyproxy/envoy-gateway HTTPRouteRetry"],
  ["nginx request timeout", "@ nginx/nginx-gateway-fabric HTTPRouteRequestTimeout"],
  ["aks mtls", "@ microsoft-azure/application-gateway-for-containers GatewayFrontendClientCertificateValidation"],
  ["url rewrite in contour", "@ projectcontour/contour HTTPRoutePathRewrite"],
  ["solo.io header modification", "@ solo-io/gloo-gateway HTTPRouteResponseHeaderModification"],
  ["calico tcp", "@ projectcalico/calico TCPRoute"],
  ["can I use grpc with haproxy?", "@ haproxy-ingress/haproxy-ingress GRPCRoute"],
  ["cilium vs istio", "vs cilium/cilium istio/istio"],
  ["envoy vs nginx", "vs envoyproxy/envoy-gateway nginx/nginx-gateway-fabric"],
  ["envoy nginx", "vs envoyproxy/envoy-gateway nginx/nginx-gateway-fabric"],
  ["compare kong and traefik", "vs kong/kong-operator traefik/traefik"],
  ["istio or linkerd", "vs istio/istio linkerd/linkerd"],
  ["gke versus aks", "vs gke/gke-gateway microsoft-azure/application-gateway-for-containers"],
  ["linkerd", "Linkerd"],
  ["haproxy", "HAProxy Ingress/haproxy-ingress"],
  ["aws load balancer", "aws/aws-load-balancer-controller"],
  ["is traefik conformant", "traefik"],
  ["istio v1.6", "istio"],
  ["mesh", "= Meshes"],
  ["gateway for udp", "UDPRoute"],
  ["who supports cors", "@ HTTPRouteCORS"],
  ["which support cors", "@ HTTPRouteCORS"],
  ["who can do websockets", "@ HTTPRouteBackendProtocolWebSocket"],
  ["who supports tcproute", "@ TCPRoute"],
  ["which gateways support udp", "@ UDPRoute"],
  ["tls passthrough", "TLSRoute"],
  ["wildcard", "HTTPRoute"],
  ["nginx ingress", "Find by manifests"],
  ["session persistence", "= Session persistence"],
  ["rate limit istio", "= Rate limits"],
  ["basic auth traefik", "= Authentication"],
  ["regular expression", "= Regular expressions"],
  ["egress", "= Egress"],
  ["http3", "= HTTP/3"],
  ["http/3", "= HTTP/3"],
  ["cilium quic", "= HTTP/3"],
  ["GEP-1762", "GEP-1762: Deployments of Gateways in the cluster"],
  ["gep 1767", "GEP-1767: CORS filter"],
  ["gep-9999", "= GEP-9999"],
  ["v1.7", "= Gateway API v1.7"],
  ["v1.6", "v1.6 GATEWAY-HTTP"],
  ["v1.5 grpc", "v1.5 GATEWAY-GRPC"],
  ["oke", "= Oracle Kubernetes Engine"],
  ["rosa", "= Red Hat OpenShift Service on AWS"],
  ["openshift", "= OpenShift"],
  ["openshift retry", "= OpenShift"],
  ["red hat", "= OpenShift"],
  ["k3s", "= K3s"],
  ["rancher", "= Rancher"],
  ["avi", "= Avi Kubernetes Operator"],
  ["konnect", "= Kong Konnect"],
  ["partial", "Partial"],
  ["channel", "Channel"],
  ["mode", "Mode"],
  ["not seen", "Not seen"],
  ["proved", "Proved"],
  ["extended", "Extended"],
  ["core", "Core"],
  ["skipped", "Skipped"],
  ["how to submit", "Submit a report"],
  ["what is conformant", "Conformant"],
  ["cillium", "? cilium"],
  ["cilium crs", "cilium"],
  // Names: the longest wins, and products without a report are not their neighbors.
  ["kong ingress controller cors", "@ kong/kubernetes-ingress-controller HTTPRouteCORS"],
  ["cilium vs kong ingress controller", "vs cilium/cilium kong/kubernetes-ingress-controller"],
  ["kong ingress controller", "Kong/kubernetes-ingress-controller"],
  [
    "difference between kong operator and kong ingress controller",
    "vs kong/kong-operator kong/kubernetes-ingress-controller",
  ],
  ["kong gateway cors", "@ kong/kong-operator HTTPRouteCORS"],
  ["ingress-nginx cors", "= ingress-nginx"],
  ["ingress nginx cors", "= ingress-nginx"],
  ["nginx ingress controller cors", "= F5 NGINX Ingress Controller"],
  ["nginx cors", "@ nginx/nginx-gateway-fabric HTTPRouteCORS"],
  ["aws vpc lattice", "aws/aws-application-networking-k8s"],
  ["lattice cors", "@ aws/aws-application-networking-k8s HTTPRouteCORS"],
  ["aws lb controller tls", "@ aws/aws-load-balancer-controller TLSRoute"],
  ["f5 nginx cors", "@ nginx/nginx-gateway-fabric HTTPRouteCORS"],
  ["eg udproute", "@ envoyproxy/envoy-gateway UDPRoute"],
  ["asm cors", "@ alibaba-cloud/alibaba-cloud-service-mesh HTTPRouteCORS"],
  ["f5", "= F5 BIG-IP"],
  ["caddy cors", "= Caddy"],
  ["tetrate", "= Tetrate"],
  ["vmware", "= Avi Kubernetes Operator"],
  ["pomerium", "= Pomerium"],
  ["ack", "= Alibaba Cloud Container Service for Kubernetes"],
  ["kind", "sigs.k8s.io/cloud-provider-kind"],
  // Nouns are a part of what is asked.
  ["traefik multiple gateways", "traefik"],
  ["linkerd mesh", "Linkerd"],
  ["istio virtual service", "istio"],
  ["kuma mesh timeouts", "@ kumahq/kuma HTTPRouteRequestTimeout"],
  ["mesh cors", "HTTPRouteCORS"],
  ["what is a service mesh", "= Meshes"],
  // Numbers are whole.
  ["v1.60", "= Gateway API v1.60"],
  ["v1.16", "= Gateway API v1.16"],
  ["cilium 1.16", "cilium"],
  // Words next to a product and a feature.
  ["cilium v1.4 cors", "@ cilium/cilium HTTPRouteCORS"],
  ["envoy gateway 1.5 cors", "@ envoyproxy/envoy-gateway HTTPRouteCORS"],
  ["istio 1.24 retry", "@ istio/istio HTTPRouteRetry"],
  ["traefik cors v1.5", "@ traefik/traefik HTTPRouteCORS"],
  ["when did envoy support cors", "@ envoyproxy/envoy-gateway HTTPRouteCORS"],
  ["kong cors standard channel", "@ kong/kong-operator HTTPRouteCORS"],
  ["nginx plus cors", "@ nginx/nginx-gateway-fabric HTTPRouteCORS"],
  ["istio <b>retry</b>", "@ istio/istio HTTPRouteRetry"],
  ["istio ambient mode", "istio"],
  ["retry channel", "HTTPRouteRetry"],
  ["cors v1.5", "HTTPRouteCORS"],
  ["ciliun cors", "? cilium cors"],
  ["not stated", "How to read this site"],
  ["the", null],
  ["xyzzy", null],
];
const MOST_WRONG = 2;

const asset = (folder, name) => {
  const files = readdirSync(join(folder, "assets"));
  return join(
    folder,
    "assets",
    files.find((file) => file.startsWith(`${name}.`)),
  );
};

function searchOf(folder) {
  const context = vm.createContext({ gwconform: {} });
  for (const name of ["search-index", "search"]) vm.runInContext(readFileSync(asset(folder, name), "utf8"), context);
  return context.gwconform.search(context.gwconform.index);
}

/** What the search shows first, written as in `ANSWERS`. */
function first({ answers, groups, guesses }) {
  const slug = ({ page }) => page.split("/").slice(1, 3).join("/");
  const [answer] = answers;
  if (answer?.kind === "pair")
    return `@ ${[...answer.products.slice(0, 1).map(slug), answer.features[0].name].join(" ")}`;
  if (answer?.kind === "versus") return `vs ${answer.products.map(slug).join(" ")}`;
  if (answer) return `= ${answer.title}`;
  if (groups.length) return groups[0].entries[0].name;
  return guesses.length ? `? ${guesses[0].name}` : null;
}

/** Site of the tree of real reports, or null without it. */
function wholeSite() {
  const root = new URL("../..", import.meta.url).pathname;
  const corpus = join(process.env.GWCONFORM_CORPUS ?? join(root, "../shared/corpus"), "gateway-api");
  if (!existsSync(corpus) || !process.env.GWCONFORM) return null;
  const out = mkdtempSync(join(tmpdir(), "gwconform-search-"));
  const { status, stderr } = spawnSync(process.env.GWCONFORM, ["site", corpus, "--out", join(out, "site")]);
  assert.equal(status, 0, String(stderr));
  return out;
}

const whole = wholeSite();
let site;
before(async () => (site = await open()));
after(async () => {
  await site.close();
  if (whole) rmSync(whole, { recursive: true });
  console.log(whole ? "answers: checked with the corpus" : "answers: not checked (set GWCONFORM_CORPUS and GWCONFORM)");
});

test("queries about the real reports find their answers", { skip: !whole }, () => {
  const find = searchOf(join(whole, "site"));
  assert.ok(ANSWERS.length >= 60);
  const found = ANSWERS.map(([query, expected]) => [query, expected, first(find(query))]);
  const wrong = found.filter(([, expected, found]) => expected !== found);
  assert.ok(wrong.length <= MOST_WRONG, JSON.stringify(wrong));
  assert.ok(statSync(asset(join(whole, "site"), "search-index")).size < MOST_BYTES);
});

test("words that mean several things are all shown, and no word is denied that matches", { skip: !whole }, () => {
  const find = searchOf(join(whole, "site"));
  const asked = (query) =>
    find(query)
      .answers[0].features.map(({ name }) => name.replace("HTTPRoute", ""))
      .join();
  assert.equal(asked("gke timeouts"), "RequestTimeout,BackendTimeout");
  assert.match(asked("istio rewrite"), /^HostRewrite,PathRewrite/);
  for (const name of ["PathRedirect", "PortRedirect", "SchemeRedirect", "303RedirectStatusCode"])
    assert.ok(asked("azure redirect").includes(name), name);
  assert.equal(asked("istio retry"), "Retry");
  assert.equal(find("cilium v1.4 cors").answers[0].versions.join(), "v1.4");
  for (const [query, unknown] of [
    ["cilium v1.4 cors", ""],
    ["when did envoy support cors", ""],
    ["retry standard channel", ""],
    ["nginx plus cors", "plus"],
    ["istio foo retry bar", "foo bar"],
  ])
    assert.equal(find(query).unknown, unknown, query);
  const releases = (query) => find(query).groups.filter(({ kind }) => kind === "Releases");
  for (const query of ["cilium 1.16", "istio 1.30", "http/3", "v1.60"]) assert.equal(releases(query).length, 0, query);
  assert.equal(releases("istio v1.4")[0].entries[0].name, "v1.4 GATEWAY-HTTP");
  assert.equal(find("traefik multiple gateways").groups[1].entries[0].name, "HTTPRouteMultipleGateways");
  assert.equal(find("ciliun cors").groups.length, 0);
  const unread = find("istio.io").groups[0].entries.find(({ page }) => page === "implementations/istio-io/istio/");
  assert.equal(unread.note, "Gateway: no current report, Mesh: no current report");
});

test("a channel has its own first report", { skip: !whole }, () => {
  const since = (feature, implementation) => {
    const path = join(whole, "site/api/v1/features", `${feature}.json`);
    const all = JSON.parse(readFileSync(path, "utf8")).features[0].implementations;
    const one = all.find((own) => own.implementation === implementation);
    return one.since_in_channels.map(({ channel, since, since_version: version }) => `${channel} ${version} ${since}`);
  };
  assert.deepEqual(since("HTTPRouteCORS", "airlock/microgateway"), [
    "experimental 4.8.0 v1.4.0",
    "standard 5.1.0 v1.5.1",
  ]);
  const h2c = since("HTTPRouteBackendProtocolH2C", "cilium/cilium");
  assert.match(h2c.join(), /^experimental \S+ v1\.\d\.\d,standard v1\.20\.0 v1\.6/);
});

test("a typing error and words without an entry are told apart", () => {
  const find = searchOf(SAMPLE);
  const near = find("umbrela cors");
  assert.equal(near.unknown, "umbrela");
  assert.equal(near.guesses.map(({ page }) => page).join(), "answer/?q=umbrella+cors");
  assert.match(find("v9.9").answers[0].text, /no report for this release/);
});

test("usual queries find what they mean", () => {
  const find = searchOf(SAMPLE);
  const wrong = QUERIES.map(([query, expected]) => [query, expected, first(find(query))]);
  assert.deepEqual(
    wrong.filter(([, expected, found]) => expected !== found),
    [],
  );
});

test("one typing error of any kind is forgiven, two are not", () => {
  const find = searchOf(SAMPLE);
  for (const query of ["mirrror", "mirrr", "mirrox", "mirorr"]) assert.match(first(find(query)) ?? "", /Mirror/, query);
  assert.equal(first(find("mxrroz")), null);
});

test("an answer about the API says what it is", () => {
  const find = searchOf(SAMPLE);
  assert.match(find("rate limit").answers[0].text, /^not part of the Gateway API/);
  assert.match(find("external auth").answers.at(-1).text, /^no feature of the Gateway API covers it/);
});

test("the index is small, and no page asks for it before the box is used", async () => {
  assert.ok(gzipSync(readFileSync(asset(SAMPLE, "search-index"))).length < MOST_COMPRESSED);
  const page = await site.page();
  const loaded = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname.split("/").at(-1).split(".")[0]));
  await page.goto(`${site.address}features/HTTPRouteCORS/`);
  await page.waitForTimeout(200);
  assert.deepEqual(
    loaded.filter((name) => name.startsWith("search")),
    [],
  );
  await page.click("#search");
  await page.waitForFunction(() => document.querySelector("#search").role === "combobox");
  await page.locator("#search").blur();
  await page.click("#search");
  assert.deepEqual(
    loaded.filter((name) => name.startsWith("search")),
    ["search-index", "search"],
  );
  page.sound();
});

test("the keyboard is enough", async () => {
  const page = await site.page();
  await page.goto(`${site.address}rules/report/date/`);
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  await page.keyboard.type("mirror");
  await page.waitForSelector("[role=option]");
  const field = page.locator("#search");
  const active = () =>
    page.evaluate(() => {
      const id = document.querySelector("#search").getAttribute("aria-activedescendant");
      return document.getElementById(id)?.querySelector("b").textContent;
    });
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  assert.equal(await active(), "HTTPRouteRequestMirror");
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await active(), "HTTPRouteRequestMirror");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.notEqual(await active(), "HTTPRouteRequestMirror");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  assert.equal(await field.getAttribute("aria-expanded"), "false");
  assert.equal(await field.inputValue(), "mirror");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.address}features/HTTPRouteRequestMirror/`);
  // A slash in a field is text.
  await page.click("#search");
  await page.keyboard.type("report/date");
  assert.equal(await field.inputValue(), "report/date");
  await page.waitForSelector("[role=option]");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${site.address}rules/report/date/`);
  page.sound();
});

test("answers without an entry are told, and a click opens an entry", async () => {
  const page = await site.page();
  await page.goto(`${site.address}404.html`);
  await page.click("#search");
  await page.keyboard.type("rate limit");
  await page.getByText("not part of the Gateway API").first().waitFor();
  assert.match(await page.textContent("[role=status]"), /Rate limits: not part/);
  await page.fill("#search", "xyzzy");
  await page.getByText("Nothing matches").first().waitFor();
  await page.fill("#search", "umbrella");
  await page.click("[role=option]");
  await page.waitForURL(`${site.address}implementations/umbrella/operator/`);
  page.sound();
});

test("who supports a feature is answered with names", async () => {
  const page = await site.page();
  await page.goto(`${site.address}answer/?q=who+supports+cors`);
  const card = page.locator("#answer .card");
  await card.waitFor();
  assert.match(await card.innerText(), /Who supports HTTPRouteCORS\?[\s\S]*(Yes, proved|No) \(\d+\): \w/);
  await page.goto(`${site.address}answer/?q=acme+cors+v1.1`);
  await page.getByText("about the newest report, not about v1.1").waitFor();
  page.sound();
});

/** Words for a product and a feature, from the data of the feature, and what the card must say. */
async function sayings(page) {
  const { features } = await page.evaluate(async () =>
    (await fetch("/some/prefix/api/v1/features/BackendTLSPolicy.json")).json(),
  );
  const [{ implementations }] = features;
  const proved = implementations.find((one) => one.passed_test_count !== null && one.standing !== "not-current");
  const no = implementations.find((one) => one.state === "unsupported");
  const silent = implementations.find((one) => one.state === null);
  return [
    [proved, ["Yes, proved", proved.since_version, proved.since, proved.since_date, ...proved.channels]],
    [no, ["No", no?.release, proved.name]],
    [silent, ["Nothing reported", silent?.text, proved.name]],
  ].filter(([one]) => one);
}

test("a card says what the data says, at its address too", async () => {
  const page = await site.page();
  await page.goto(`${site.address}about/`);
  for (const [one, texts] of await sayings(page)) {
    await page.goto(`${site.address}about/`);
    await page.click("#search");
    await page.keyboard.type(`${one.name} backend tls policy`);
    const shell = page.locator(".popup .card");
    await shell.waitFor();
    const before = await page.locator(".popup .links").boundingBox();
    await page.locator(".popup .link", { hasText: /report/ }).waitFor();
    assert.equal((await page.locator(".popup .links").boundingBox()).y, before.y);
    const text = await shell.innerText();
    for (const word of texts) assert.ok(text.includes(word), `${word}: ${text}`);
    const links = await page.locator(".popup .link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const has = (path) => links.some((link) => link.startsWith(site.address + path));
    for (const path of [
      `implementations/${one.report}/`,
      "features/BackendTLSPolicy/",
      `compare/?i=${one.implementation}&i=`,
    ])
      assert.ok(has(path), `${path}: ${links}`);
    await page.waitForFunction((text) => document.querySelector("[role=status]").textContent.includes(text), texts[0]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/answer\/\?q=/);
    await page.reload();
    await page.locator("#answer .card").waitFor();
    const shared = await page.innerText("#answer .card");
    for (const word of texts) assert.ok(shared.includes(word), `${word}: ${shared}`);
    await page.click("#search");
    await page.waitForSelector(".popup:not([hidden])");
    assert.equal(await page.locator(".lookup .popup").count(), 1);
  }
  await page.goto(`${site.address}answer/?q=xyzzy`);
  await page.getByText("Nothing matches").first().waitFor();
  await page.goto(`${site.address}answer/`);
  await page.getByText("Ask with the search box").waitFor();
  page.sound();
});

test("the links of a card are reached with the arrows", async () => {
  const page = await site.page();
  await page.goto(`${site.address}about/`);
  await page.click("#search");
  await page.keyboard.type("acme vs umbrella");
  await page.locator(".popup .card").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/compare\/\?i=acme\/operator&i=umbrella\/operator$/);
  page.sound();
});

test("axe finds nothing in open results", async () => {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ]) {
    const page = await site.page({ viewport: { width, height: 844 }, colorScheme });
    for (const query of ["gate", "rate limit", "xyzzy", "acme cors", "acme vs umbrella", "umbrela cors"]) {
      await page.goto(`${site.address}features/HTTPRouteCORS/`);
      await page.click("#search");
      await page.keyboard.type(query);
      await page.waitForSelector(".popup:not([hidden])");
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${query}: ${id}: ${nodes[0].html}`),
        [],
      );
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${query}: ${over} px too wide`);
    }
    page.sound();
  }
});

test("hostile names stay text", async () => {
  const hostile = await open(HOSTILE);
  try {
    const page = await hostile.page();
    await page.goto(hostile.address);
    await page.click("#search");
    for (const query of ["<", "< cors", "script", "img", "alert", "a", "onmouseover", "javascript"]) {
      await page.fill("#search", query);
      await page.waitForFunction(() => document.querySelector("#search").role === "combobox");
      const strange = await page.evaluate(() =>
        [...document.querySelectorAll(".popup *")]
          .filter((one) => !["A", "B", "SMALL", "SPAN", "DIV", "P"].includes(one.tagName))
          .map((one) => one.outerHTML),
      );
      assert.deepEqual(strange, [], query);
      const addresses = await page.locator(".popup a").evaluateAll((all) => all.map((one) => one.href));
      for (const address of addresses) assert.match(address, /^https?:/);
    }
    page.sound();
  } finally {
    await hostile.close();
  }
});

test("without scripts there is no box", async () => {
  const page = await site.page({ javaScriptEnabled: false });
  await page.goto(site.address);
  assert.ok(!(await page.isVisible("#search")));
  for (const link of ["features/", "matrix/", "tests/"]) assert.ok(await page.isVisible(`a[href="${link}"]`));
  page.sound();
});

test("a site opened as files has a search", async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    const root = pathToFileURL(SAMPLE).href;
    await page.goto(`${root}/features/index.html`);
    await page.click("#search");
    await page.keyboard.type("cors");
    await page.click("[role=option]");
    await page.waitForURL(`${root}/features/HTTPRouteCORS/index.html`);
    await page.click("#search");
    await page.keyboard.type("acme cors");
    await page.locator(".popup").getByText("need the site on a web server").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${root}/answer/index.html?q=acme+cors`);
    await page.locator("#answer").getByText("need the site on a web server").waitFor();
  } finally {
    await browser.close();
  }
});
