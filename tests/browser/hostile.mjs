// Writes a reports tree with hostile submissions: `node hostile.mjs DIR`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const NAMES = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  "](javascript:alert(3)) [x](http://evil.example) | a | `b` *c* _d_",
  "\"onmouseover=alert(4) 'x' {{7*7}} \\ &amp; &#60; www.evil.example 1. - + =",
  "\u202egnp.exe\u200b\u0007 \ufeff",
  `${"Unbroken".repeat(40)}`,
  '=HYPERLINK("http://evil.example")',
];

const quoted = JSON.stringify;

function report(name, channel, extra, release = "v1.5.1") {
  return `apiVersion: gateway.networking.k8s.io/v1
date: "2026-03-20T10:15:30Z"
gatewayAPIChannel: ${channel}
gatewayAPIVersion: ${release}
implementation:
  contact: [${quoted(name)}, "javascript:alert(5)"]
  organization: ${quoted(name)}
  project: ${quoted(`project ${name}`)}
  url: ${quoted(`javascript:alert(6)//${name}`)}
  version: ${quoted(name)}
kind: ConformanceReport
mode: ${extra ? quoted(name) : "default"}
profiles:
- core:
    result: success
    statistics: {Failed: 0, Passed: 33, Skipped: 0}
  extended:
    result: partial
    skippedTests: [${quoted(name)}]
    statistics: {Failed: 0, Passed: 1, Skipped: 1}
    supportedFeatures: [HTTPRouteCORS, ${quoted(name)}]
    unsupportedFeatures: [HTTPRouteRequestMirror]
  name: GATEWAY-HTTP
  summary: ${quoted(name)}
${extra ? `- core:\n    result: success\n    statistics: {Failed: 0, Passed: 1, Skipped: 0}\n  name: ${quoted(name)}\n  summary: x\n` : ""}succeededProvisionalTests: [${quoted(name)}]
`;
}

const reports = join(process.argv[2], "reports");
const root = join(reports, "v1.5.1");
NAMES.forEach((name, at) => {
  const folder = join(root, `submission-${at}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "standard-v1.0.0-default-report.yaml"), report(name, "standard", false));
  writeFileSync(join(folder, "experimental-v1.0.0-default-report.yaml"), report(name, quoted(name), true));
  writeFileSync(
    join(folder, "README.md"),
    `# ${name}\n\n## Reproduce\n\n${name}\n\n<script>alert(7)</script> [x](javascript:alert(8)) ![y](http://evil.example/y.png)\n\n1. <b>a</b>\n\n\`\`\`\n${name}\n\`\`\`\n`,
  );
});

// A report for each release gives tables a column for each release.
const RELEASES = ["v0.7.1", "v0.8.1", "v1.0.0", "v1.1.0", "v1.2.1", "v1.3.0", "v1.4.1", "v1.6.0"];
for (const release of RELEASES) {
  const folder = join(reports, release, "submission");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "standard-v1.0.0-default-report.yaml"), report(NAMES.at(-1), "standard", false, release));
}
