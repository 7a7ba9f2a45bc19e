import { assertEquals } from "@std/assert";
import { codex } from "../../../codex/harness.ts";
import { DEFAULT_FLAGS } from "../../site/site.ts";
import { earlierFlags } from "./prepare_install.ts";

Deno.test("earlierFlags() keeps the flags of the last install, except --trust-hooks", async () => {
  const home = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${home}/.config/signet/connectors`, { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(
      `${home}/.config/signet/connectors/codex.json`,
      JSON.stringify({ url: "http://127.0.0.1:3850", options: { mcp: false, trustHooks: true } }),
      { mode: 0o600 },
    );
    const host = { env: (name: string) => name === "HOME" ? home : undefined, os: "linux" } as const;
    assertEquals(earlierFlags({ host })(codex), { ...DEFAULT_FLAGS, mcp: false, trustHooks: undefined });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
