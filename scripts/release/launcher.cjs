#!/usr/bin/env node
// Finds the binary that npm installed for this machine, and runs it.
"use strict";
const process = require("node:process");
const { spawn } = require("node:child_process");
const os = process.platform === "win32" ? "windows" : process.platform;
const wanted = `{{package}}-${os}-${process.arch}`;
const file = os === "windows" ? "{{binary}}.exe" : "{{binary}}";

let binary;
try {
  binary = require.resolve(`${wanted}/bin/${file}`);
} catch {
  console.error(
    `{{binary}}: the package ${wanted} is not installed, so there is no binary for this machine.`,
  );
  console.error(
    "Install again without --omit=optional. If the package does not exist, this machine is not supported.",
  );
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`{{binary}}: ${binary} cannot be started (${err.message}).`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
