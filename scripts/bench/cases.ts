import { DrainLock } from "../../hooks/spool/drain_lock.ts";
import { Spool } from "../../hooks/spool/spool.ts";
import { HOOK_PATHS } from "../../hooks/daemon/wire.ts";
import { agentCases } from "./agent_cases.ts";
import type { BenchDaemon } from "./daemon.ts";
import type { Programs } from "./programs.ts";
import type { BenchCase } from "./run.ts";

const PROJECT = "/home/u/proj";
const KEY = "sig_sk_0123456789ab_bench";

/** All cases. Each hook runs in its own home with an installed connector. */
export async function benchCases(
  programs: Programs,
  daemon: BenchDaemon,
  dir: string,
  ca?: string,
): Promise<BenchCase[]> {
  const { floors, node, curl } = programs;
  const post = daemon.url + HOOK_PATHS["session-start"];
  const plain = { env: { PATH: "/usr/bin:/bin", HOME: dir }, stdin: () => body(), waits: true };
  const floor = roundRobin(floors);
  const list: BenchCase[] = [{ name: "floor", argv: () => [floor(), post], ...plain }];
  if (curl) {
    list.push({
      name: "curl",
      argv: () => [curl, "-sS", "--data-binary", "@-", "-H", "content-type: application/json", post],
      ...plain,
    });
  }
  if (node) {
    const script = new URL("./node_post.mjs", import.meta.url).pathname;
    list.push({ name: "node http", argv: () => [node, script, post], ...plain });
  }
  const scene = (name: string, url: string) => installed(programs, daemon, dir, name, url);
  const up = await scene("up", daemon.url);
  const dead = await scene("dead", daemon.deadUrl);
  const hanging = await scene("hanging", daemon.hangingUrl);
  const full = await scene("1000 spooled", daemon.url);
  const fullDead = await scene("1000 spooled, dead", daemon.deadUrl);
  fill(full.state, programs.harness, daemon.url);
  fill(fullDead.state, programs.harness, daemon.deadUrl);
  list.push(
    { ...up.hook("session-start"), waits: true },
    { ...up.hook("user-prompt-submit"), waits: true },
    dead.hook("session-start"),
    dead.hook("user-prompt-submit"),
    hanging.hook("session-start"),
    hanging.hook("user-prompt-submit"),
    full.hook("session-start"),
    full.hook("user-prompt-submit"),
    fullDead.hook("user-prompt-submit"),
    up.hook("session-end"),
    dead.hook("session-end"),
    hanging.hook("session-end"),
  );
  if (programs.agents.length > 0) list.push(...await agentCases(programs.agents, daemon, dir));
  if (programs.links.length > 0) {
    const link = await installed({ ...programs, hooks: programs.links }, daemon, dir, "link", daemon.url);
    list.push(link.hook("session-start"), link.hook("user-prompt-submit"));
  }
  if (daemon.tlsUrl !== undefined && ca !== undefined) {
    // What a hook trusts, so that both read the same certificates.
    const trust = { DENO_CERT: ca, DENO_TLS_CA_STORE: "system,mozilla" };
    const tlsFloor = roundRobin(floors);
    const tls = await scene("https", daemon.tlsUrl);
    const withTrust = (each: BenchCase): BenchCase => ({ ...each, env: { ...each.env, ...trust } });
    const tlsPost = daemon.tlsUrl + HOOK_PATHS["session-start"];
    list.push(
      withTrust({ ...plain, name: "floor, https", argv: () => [tlsFloor(), tlsPost], waits: false }),
      withTrust(tls.hook("session-start")),
      withTrust(tls.hook("user-prompt-submit")),
    );
  }
  return list;
}

/** Each of several copies in turn. */
export function roundRobin(programs: readonly string[]): () => string {
  let next = 0;
  return () => programs[next++ % programs.length] ?? "";
}

let sessions = 0;

function body(): string {
  const session_id = `bench-${sessions++}`;
  return JSON.stringify({
    session_id,
    cwd: PROJECT,
    prompt: "what do I drink in the morning?",
    source: "startup",
    hook_event_name: "SessionStart",
    transcript: "User: what do I drink?\nAssistant: Tea.\n".repeat(100),
    reason: "other",
  });
}

async function installed(programs: Programs, daemon: BenchDaemon, dir: string, name: string, url: string) {
  const home = `${dir}/${name.replaceAll(/[^a-z0-9]+/g, "-")}`;
  const state = `${home}/.local/state/signet/${programs.harness}`;
  const config = `${home}/.config/signet/connectors`;
  await Deno.mkdir(config, { recursive: true });
  await Deno.mkdir(state, { recursive: true });
  const settings = { url, apiKey: KEY, agentId: "me/bench", connectorId: "c1", machineId: "m1" };
  await Deno.writeTextFile(`${config}/${programs.harness}.json`, JSON.stringify(settings), { mode: 0o600 });
  return {
    state,
    hook(event: string): BenchCase {
      const hook = roundRobin(programs.hooks);
      return {
        name: `${event}, ${name}`,
        argv: () => [hook(), "hook", event, "--project", PROJECT],
        env: { PATH: "/usr/bin:/bin", HOME: home },
        stdin: body,
        before: () => {
          daemon.acceptsEnds = !name.startsWith("1000");
        },
        after: () => waitForDrain(state, url === daemon.hangingUrl),
      };
    },
  };
}

/** Waits for a running drain to end, since it would slow down the next case. */
async function waitForDrain(state: string, hangs: boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const lock = hangs ? undefined : DrainLock.take(state, "drain.lock");
    lock?.release();
    if ((hangs || lock !== undefined) && !exists(`${state}/drain.wanted`)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function fill(state: string, harness: string, url: string): void {
  const { dir } = new Spool(state);
  Deno.mkdirSync(dir, { recursive: true });
  const now = Date.now();
  for (let i = 0; i < 1000; i++) {
    const text = JSON.stringify({
      id: crypto.randomUUID(),
      kind: "session-end",
      path: HOOK_PATHS["session-end"],
      url,
      harness,
      agentId: "me/bench",
      sessionKey: `spooled-${i}`,
      body: { harness, sessionKey: `spooled-${i}`, transcript: "User: hi\n".repeat(100) },
    });
    Deno.writeTextFileSync(
      `${dir}/${String(now + i).padStart(15, "0")}-00000000-session-end-${text.length}.json`,
      text,
    );
  }
}
