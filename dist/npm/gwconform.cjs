#!/usr/bin/env node
// Starts the binary from the package for this platform.
const { spawnSync } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "gwconform.exe" : "gwconform";

function binary() {
  try {
    return require.resolve(`@gwconform/cli-${platform}/${file}`);
  } catch {
    console.error(
      `error: the package @gwconform/cli-${platform} is not installed; install without --omit=optional, or build gwconform with cargo where there is none for ${platform}`,
    );
    process.exit(3);
  }
}

const ended = spawnSync(binary(), process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`error: ${ended.error.message}`);
  process.exit(3);
}
if (ended.signal) {
  process.kill(process.pid, ended.signal);
}
process.exitCode = ended.status ?? 3;
