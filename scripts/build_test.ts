import { assertEquals, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { CONNECTOR_PERMISSIONS, DAEMON_PERMISSIONS, permissionsOf } from "./build/permissions.ts";
import { readArgs } from "./build.ts";

Deno.test("readArgs() of build accepts names, a target and an output directory", () => {
  const { names, target, out, denortPath } = readArgs(["pi", "--target", "linux-arm64", "codex"], "/tree");
  assertEquals([names, target, out, denortPath], [["pi", "codex"], "linux-arm64", "/tree/dist", false]);
  assertEquals(readArgs(["--out", "/o", "--denort-path"], "/tree").out, "/o");
});

Deno.test("readArgs() of build rejects unknown flags and empty values", () => {
  assertThrows(() => readArgs(["--targt", "x"], "/tree"), Error, "unknown flag --targt");
  assertThrows(() => readArgs(["--target="], "/tree"), Error, "--target needs a value");
});

Deno.test("permissionsOf() never allows native libraries, remote code or everything", () => {
  for (const kind of ["connector", "connect", "daemon"] as const) {
    const flags = permissionsOf({ name: "x", binary: "signet-x", main: "x", kind }).map((p) => p.flag);
    assertEquals(flags.filter((f) => /^(-A|--allow-(all|ffi|import))/.test(f)), []);
    assertEquals(flags.filter((f) => /^--allow-(sys|hrtime)$/.test(f)), []);
  }
});

Deno.test("permissionsOf() does not let the mock daemon start programs", () => {
  const flags = permissionsOf({ name: "mock-daemon", binary: "x", main: "x", kind: "daemon" }).map((p) =>
    p.flag
  );
  assertEquals(flags.filter((f) => /^--allow-(run|sys)/.test(f)), []);
});

Deno.test("docs/permissions.md lists the permissions of the binaries", () => {
  const path = fromFileUrl(new URL("../docs/permissions.md", import.meta.url));
  const rows = Deno.readTextFileSync(path).split("\n").filter((l) => l.startsWith("| `"))
    .map((l) => l.split("|").slice(1, 3).map((cell) => cell.trim().replaceAll("`", "")));
  const compiled = [...CONNECTOR_PERMISSIONS, ...DAEMON_PERMISSIONS].map((p) => [p.flag, p.why]);
  assertEquals(rows, compiled);
});
