import { assertEquals, assertObjectMatch, assertStringIncludes } from "@std/assert";
import type { Entry } from "../build/entries.ts";
import { findTarget } from "../build/targets.ts";
import { launcherPackage, platformPackage } from "./npm_packages.ts";

const PI: Entry = { name: "pi", binary: "signet-pi", main: "connectors/pi/main.ts", kind: "connector" };

Deno.test("platformPackage() declares its platform for npm", () => {
  const cases: [string, object, string][] = [
    ["linux-arm64", { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] }, "bin/signet-pi"],
    ["darwin-x64", { os: ["darwin"], cpu: ["x64"] }, "bin/signet-pi"],
    ["windows-x64", { os: ["win32"], cpu: ["x64"] }, "bin/signet-pi.exe"],
  ];
  for (const [label, expected, binary] of cases) {
    const staged = platformPackage(PI, findTarget(label), "1.2.3");
    assertEquals(staged.binary, binary);
    assertObjectMatch(JSON.parse(staged.files["package.json"] ?? ""), {
      name: `@signetai/connector-pi-${label}`,
      version: "1.2.3",
      ...expected,
    });
  }
});

Deno.test("launcherPackage() has one command and depends on its platform packages", () => {
  const targets = ["linux-x64", "linux-arm64"].map(findTarget);
  const staged = launcherPackage(PI, targets, "1.2.3", "find {{package}} run {{binary}}");
  assertObjectMatch(JSON.parse(staged.files["package.json"] ?? ""), {
    name: "@signetai/connector-pi",
    bin: { "signet-pi": "bin/signet-pi.js" },
    optionalDependencies: {
      "@signetai/connector-pi-linux-x64": "1.2.3",
      "@signetai/connector-pi-linux-arm64": "1.2.3",
    },
  });
  assertEquals(staged.files["bin/signet-pi.js"], "find @signetai/connector-pi run signet-pi");
  assertStringIncludes(staged.files["README.md"] ?? "", "npx -y @signetai/connector-pi install");
});
