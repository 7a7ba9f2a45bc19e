import { Inbox } from "../../hooks/agents/messages/inbox.ts";
import { noteReceiving } from "../../hooks/agents/messages/receiving.ts";
import { Locks } from "../../hooks/agents/locks/locks.ts";
import { AgentSessions } from "../../hooks/agents/sessions/session.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { roundRobin } from "./cases.ts";
import { AGENTS_HARNESS } from "./programs.ts";
import type { BenchDaemon } from "./daemon.ts";
import type { BenchCase } from "./run.ts";

const KEY = "be4c0000-1111-4222-8333-444455556666";
const OTHERS = 1000;

/** The hooks of the agent mesh, with nothing to deliver, and a prompt with and without the mesh. */
export async function agentCases(
  programs: readonly string[],
  daemon: Pick<BenchDaemon, "url" | "busyUrl">,
  dir: string,
): Promise<BenchCase[]> {
  const project = `${dir}/proj`;
  await Deno.mkdir(`${project}/src`, { recursive: true });
  await Deno.writeTextFile(`${project}/src/free.ts`, "export {};\n");
  const home = (name: string, agents: boolean, url = daemon.url) =>
    makeHome(`${dir}/${name}`, url, agents, project);
  const empty = await home("agents", true);
  const crowded = await home("agents-others", true);
  const inbox = new Inbox(`${crowded}/.local/state/signet/agents`);
  const other = { harness: "codex", key: "another session" };
  for (let i = 0; i < OTHERS; i++) inbox.put(other, sampleMessage());
  const locked = await home("agents-locks", true);
  const locks = new Locks(`${locked}/.local/state/signet/agents`);
  const owner = { agentId: "other", harness: "codex", session: "another session", machine: "m1" };
  for (let i = 0; i < OTHERS; i++) {
    await locks.take(`${project}/src/${i}.ts`, "/", { owner, leaseMs: 3600_000 });
  }
  const edit = { tool_name: "Edit", tool_input: { file_path: `${project}/src/free.ts` } };
  // The mesh does its work at a prompt while the daemon does its own.
  const received = await home("agents-received", true, daemon.busyUrl);
  const asking = await home("agents-asking", true, daemon.busyUrl);
  const without = await home("no-agents", false, daemon.busyUrl);
  const hook = (event: string, name: string, at: string, tool: object = {}): BenchCase => {
    const program = roundRobin(programs);
    return {
      name: `${event}, ${name}`,
      argv: () => [program(), "hook", event],
      env: { PATH: "/usr/bin:/bin", HOME: at },
      stdin: () => input(event, project, tool),
      before: () => between(at, event),
    };
  };
  const prompt = (name: string, at: string, before?: () => void): BenchCase => ({
    ...hook("user-prompt-submit", name, at),
    ...(before === undefined ? {} : { before }),
    isClose: true,
  });
  return [
    hook("pre-tool", "agents", empty),
    hook("post-tool", "agents", empty),
    hook("pre-tool", "1000 for others", crowded),
    hook("post-tool", "1000 for others", crowded),
    hook("pre-tool", "1000 locks", locked, edit),
    prompt("agents", received, () => {
      between(received, "user-prompt-submit");
      // As the session's MCP server does.
      noteReceiving(`${received}/.local/state/signet/agents`, daemon.busyUrl, "me/bench");
    }),
    prompt("agents, no MCP server", asking),
    prompt("no agents", without),
  ];
}

/** Puts a session into the state before an event, so that each hook has a change to write down. */
function between(home: string, event: string): void {
  const sessions = new AgentSessions(`${home}/.local/state/signet/agents`);
  const id = { harness: AGENTS_HARNESS, key: KEY };
  if (event === "user-prompt-submit") sessions.update(id, { status: "idle" });
  else sessions.update(id, { status: "working", tool: event === "post-tool" ? "Bash" : undefined });
}

function input(event: string, project: string, tool: object): string {
  return JSON.stringify({
    session_id: KEY,
    cwd: project,
    prompt: "what do I drink in the morning?",
    hook_event_name: event,
    tool_name: "Bash",
    tool_input: { command: "deno test", description: "Run the tests" },
    tool_response: { stdout: "ok\n".repeat(200) },
    ...tool,
  });
}

/** A home with an installed connector, and a session that takes part in the mesh. */
async function makeHome(path: string, url: string, agents: boolean, project: string): Promise<string> {
  const config = `${path}/.config/signet/connectors`;
  await Deno.mkdir(config, { recursive: true });
  const settings = { url, agentId: "me/bench", machineId: "m1", ...(agents ? { options: { agents } } : {}) };
  await Deno.writeTextFile(`${config}/${AGENTS_HARNESS}.json`, JSON.stringify(settings), { mode: 0o600 });
  await Deno.mkdir(`${path}/.local/state/signet/${AGENTS_HARNESS}`, { recursive: true, mode: 0o700 });
  if (!agents) return path;
  const dir = `${path}/.local/state/signet/agents`;
  await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
  new AgentSessions(dir).begin({
    key: KEY,
    harness: AGENTS_HARNESS,
    agentId: "me/bench",
    url,
    project,
    root: project,
    machine: "m1",
    wake: "hook",
  });
  return path;
}
