import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { endsAtNextStart, endsOf } from "../killed.ts";
import { toConversation } from "../model/main_requests.ts";
import { REPLY } from "../model/turn.ts";
import type { Ran } from "../process.ts";
import { answeredSession, Screen, signalProgramsBelow } from "../screen.ts";
import type { Stage } from "../stage.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";

/** How long the background server keeps a session without a window; the default is a minute. */
export const UNLOAD_AFTER = "thread_unload_delay_secs = 1\n";

/** A second directory in which Codex runs. */
export function secondProject(stage: Stage): string {
  return stage.at("other");
}

const SEARCH = "/api/memory/recall";

/**
 * Codex's windows share a background server, which runs hooks and MCP servers with
 * the environment of the first window and in the directory of each. It starts only
 * where the hooks are trusted.
 */
export async function serveTwoAgents(stage: Stage, ask: (prompt: string) => Promise<Ran>): Promise<void> {
  const other = secondProject(stage);
  await Deno.mkdir(`${other}/.git`, { recursive: true });
  await stage.check("agent set gives the second directory to another agent", async () => {
    steps.succeeded(await stage.connector("agent", "set", "e2e/bob", "--project", other));
  });
  const server = stage.at(".codex/packages/app-server-daemon");
  try {
    await using first = await open(stage, "BITTERN: the first window", "e2e/ann", stage.project);
    await using second = await open(stage, "GREBE: the second window", "e2e/eve", other);
    await stage.check("each of two windows has its own agent, in hooks and tools", async () => {
      assertEquals([await agentsOf(stage, first.key), await agentsOf(stage, second.key)], [
        ["e2e/ann"],
        ["e2e/bob"],
      ]);
      assertEquals([first.searchedAs, second.searchedAs], [["e2e/ann"], ["e2e/bob"]]);
    });
    await first.screen.close();
    await arrivesOnce(stage, "the background server ends the session of a closed window", first, "e2e/ann");
    await second.screen.signal("SIGKILL");
    assert(await signalProgramsBelow(server, "SIGKILL") > 0, "there is no background server");
    await endsAtNextStart(stage, second.key, () => ask("RAIL: next"));
    await arrivesOnce(stage, "both are killed: the next start ends the session", second, "e2e/bob");
  } finally {
    await signalProgramsBelow(server, "SIGKILL");
  }
}

class Window implements AsyncDisposable {
  constructor(
    readonly screen: Screen,
    readonly mark: string,
    readonly key: string,
    readonly searchedAs: readonly string[],
  ) {}

  async [Symbol.asyncDispose](): Promise<void> {
    await this.screen[Symbol.asyncDispose]();
  }
}

/** Opens a window, in which the model searches the memory once and answers. */
async function open(stage: Stage, prompt: string, agent: string, cwd: string): Promise<Window> {
  const mark = prompt.split(":")[0] ?? prompt;
  const before = (await stage.daemon.agentsAt(SEARCH)).length;
  // A request for a title has the prompt in it too.
  stage.model.script = toConversation(steps.searchOnce(mark));
  const env = { STUB_KEY: "stub", SIGNET_AGENT_ID: agent };
  const screen = await Screen.open(stage, ["-m", "stub-1", prompt], env, cwd);
  const key = await answeredSession(stage, mark);
  if (key === undefined) {
    const text = await screen.text();
    await screen[Symbol.asyncDispose]();
    throw new Error(`no answer on the screen:\n${text}`);
  }
  return new Window(screen, mark, key, (await stage.daemon.agentsAt(SEARCH)).slice(before));
}

/** The agents that the hooks of a session named. */
async function agentsOf(stage: Stage, key: string): Promise<string[]> {
  const hooks = (await stage.daemon.hooks()).filter(({ body }) => body.sessionKey === key);
  return [...new Set(hooks.map(({ body }) => String(body.agentId)))];
}

async function arrivesOnce(stage: Stage, title: string, { key, mark }: Window, agent: string): Promise<void> {
  await stage.check(title, async () => {
    const ends = await poll(() => endsOf(stage, key), (found) => found.length > 0);
    assertEquals(ends.map(({ body }) => body.agentId), [agent]);
    for (const part of [mark, REPLY]) assertStringIncludes(String(ends[0]?.body.transcript), part);
  });
}
