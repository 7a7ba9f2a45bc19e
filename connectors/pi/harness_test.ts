import { assertEquals } from "@std/assert";
import { placeholderSite } from "../base/site/placeholder_site.ts";
import { pi } from "./harness.ts";

const DIR = "/home/u/.pi/agent";

Deno.test("pi.targets() writes one extension, with tools unless --no-mcp is set", () => {
  for (const mcp of [true, false]) {
    const [target, ...others] = pi.targets(placeholderSite(pi, { flags: { mcp } }));
    assertEquals(others, []);
    assertEquals(target?.path, `${DIR}/extensions/signet.ts`);
    assertEquals(
      target?.kind === "file" && target.text.includes('"recall":["/home/u/.local/bin/signet-test"'),
      mcp,
    );
  }
});

const IDENTITY: [string, string[], string][] = [
  ["there is no file", [], "AGENTS.md"],
  ["AGENTS.md exists", ["AGENTS.md", "CLAUDE.md"], "AGENTS.md"],
  ["AGENTS.md would hide CLAUDE.md", ["CLAUDE.md"], "CLAUDE.md"],
  ["an override hides both", ["AGENTS.override.md", "AGENTS.md"], "AGENTS.override.md"],
];
for (const [title, names, name] of IDENTITY) {
  Deno.test(`pi puts the identity as a block into ${name} where ${title}`, () => {
    const site = placeholderSite(pi, {
      files: Object.fromEntries(names.map((each) => [`${DIR}/${each}`, "# Mine\n"])),
    });
    assertEquals(pi.identity(site), { path: `${DIR}/${name}`, rule: "block" });
  });
}

Deno.test("pi follows PI_CODING_AGENT_DIR", () => {
  const site = placeholderSite(pi, { env: { PI_CODING_AGENT_DIR: "~/pi" } });
  assertEquals(pi.configPath(site), "/home/u/pi/extensions/signet.ts");
});
