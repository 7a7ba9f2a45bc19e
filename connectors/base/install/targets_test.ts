import { assertEquals } from "@std/assert";
import { HARNESSES } from "../../registry.ts";
import { installTargets } from "./targets.ts";
import { NOTHING_OWNED } from "../sync/owned.ts";
import { DEFAULT_FLAGS } from "../site/site.ts";

/** The paths of our two skills among an install's targets, without the home. */
async function ownSkills(home: string, workspace: string | undefined): Promise<Record<string, number>> {
  const count: Record<string, number> = {};
  for (const harness of HARNESSES) {
    const { targets } = await installTargets({
      harness,
      host: { env: (name) => name === "HOME" ? home : undefined, os: "linux" },
      program: { path: `${home}/.local/bin/${harness.binary}` },
      credentials: { url: "http://127.0.0.1:3850", agentId: "u/test" },
      workspace,
      flags: DEFAULT_FLAGS,
      stateDir: `${home}/.local/state/signet/${harness.id}`,
    }, NOTHING_OWNED);
    count[harness.id] = targets.filter(({ kind, path }) =>
      kind === "file" && /\/skills\/signet-(remember|recall)\/SKILL\.md$/.test(path)
    ).length;
  }
  return count;
}

const all = (count: number) => Object.fromEntries(HARNESSES.map(({ id }) => [id, count]));

Deno.test("installTargets() adds the built-in skills for every harness, unless the workspace has skills of that name", async () => {
  const home = await Deno.makeTempDir();
  try {
    assertEquals(await ownSkills(home, undefined), all(2));
    await Deno.mkdir(`${home}/.agents/skills/signet-recall`, { recursive: true });
    assertEquals(await ownSkills(home, `${home}/.agents`), all(2));
    await Deno.writeTextFile(
      `${home}/.agents/skills/signet-recall/SKILL.md`,
      "---\nname: signet-recall\n---\n",
    );
    assertEquals(await ownSkills(home, `${home}/.agents`), all(1));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
