import { assertEquals, assertThrows } from "@std/assert";
import { makeConfigDir, makeStateDir } from "./made_dirs.ts";

function listed(signet: string): string[] {
  const lines = Deno.readTextFileSync(`${signet}/install.dirs`).trimEnd().split("\n");
  return lines.flatMap((line) => {
    const { at, dirs } = JSON.parse(line);
    assertEquals(at, signet);
    return dirs;
  });
}

Deno.test("makeStateDir() lists the directories above Signet's that it created, once", async () => {
  const home = await Deno.makeTempDir({ prefix: "signet-" });
  try {
    const signet = `${home}/.local/state/signet`;
    makeStateDir(`${signet}/agents/inbox`);
    makeStateDir(`${signet}/agents/inbox`);
    makeStateDir(`${signet}/pi`);
    assertEquals(listed(signet), [`${home}/.local`, `${home}/.local/state`]);
    const { mode } = await Deno.stat(`${signet}/install.dirs`);
    assertEquals((mode ?? 0) & 0o777, 0o600);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("makeStateDir() lists nothing where only Signet's own directory was missing", async () => {
  const home = await Deno.makeTempDir({ prefix: "signet-" });
  try {
    await Deno.mkdir(`${home}/.local/state`, { recursive: true });
    makeStateDir(`${home}/.local/state/signet/agents`);
    assertEquals([...Deno.readDirSync(`${home}/.local/state/signet`)].map(({ name }) => name), ["agents"]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test({
  name: "makeStateDir() gives up where the system creates no directory (needs /proc)",
  ignore: Deno.build.os !== "linux",
  fn() {
    assertThrows(() => makeStateDir("/proc/nowhere/signet/agents"), Deno.errors.NotFound);
  },
});

Deno.test("makeConfigDir() lists what it created in the state directory, which it creates for that", async () => {
  const home = await Deno.makeTempDir({ prefix: "signet-" });
  try {
    const host = { os: "linux" as const, env: (name: string) => name === "HOME" ? home : undefined };
    makeConfigDir(host);
    makeConfigDir(host);
    assertEquals(
      listed(`${home}/.local/state/signet`).sort(),
      [".config", ".config/signet", ".local", ".local/state"].map((name) => `${home}/${name}`),
    );
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
