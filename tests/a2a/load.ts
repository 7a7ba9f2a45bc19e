/**
 * Puts load on the gateway: `deno task a2a:load [SECONDS] [TASKS-PER-SECOND]` (60 and
 * 200). The gateway is a process of its own, is killed in the middle and started
 * again, while 20 streams are open. Every task must be completed, each once.
 */
import { fromFileUrl } from "@std/path";
import { Inbox } from "../../hooks/agents/messages/inbox.ts";
import { newMessageId } from "../../hooks/agents/messages/message_id.ts";
import { sendReceipt } from "../../hooks/agents/messages/receipt.ts";
import type { ListedSession } from "../../hooks/agents/sessions/session.ts";
import { openMesh } from "../../connectors/base/agents/mesh.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import { gatewayUrl } from "../worlds/a2a/gateway_url.ts";

const SECONDS = Number(Deno.args[0] ?? 60);
const RATE = Number(Deno.args[1] ?? 200);
const STREAMS = 20;
const TICK_MS = 50;
const END_MS = 240_000;
const main = fromFileUrl(new URL("../../connectors/connect/main.ts", import.meta.url));
const denoDir = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

await using machine = await AgentMachine.make();
const worker = machine.begin("codex");
const sleeper = machine.begin("pi");
const { data } = await machine.json("a2a", "tokens", "create", "load");
const headers = {
  authorization: `Bearer ${data.token}`,
  "a2a-version": "1.0",
  "content-type": "application/json",
};

let gateway = await start(0);
const { port } = new URL(gateway.url);
const counts = { sent: 0, retried: 0, answered: 0, slowest: 0 };
const ids: string[] = [];
const memory: number[] = [];
const stop = new AbortController();
const agent = answerAll(worker, stop.signal);
const streams = Array.from({ length: STREAMS }, () => follow());
await until("the streams are open", () => machine.unread(sleeper).length === STREAMS);

const begun = performance.now();
const sampler = setInterval(() => memory.push(rss(gateway.child.pid)), 1000);
let killed = false;
let processor = 0;
while (performance.now() - begun < SECONDS * 1000) {
  const due = Math.floor((performance.now() - begun) / 1000 * RATE);
  while (counts.sent < due) {
    const number = counts.sent++;
    void send(number).then((id) => ids[number] = id);
  }
  if (!killed && performance.now() - begun > SECONDS * 500) {
    killed = true;
    processor += cpuSeconds(gateway.child.pid);
    gateway.child.kill("SIGKILL");
    await gateway.child.status;
    gateway = await start(Number(port));
  }
  await new Promise((resolve) => setTimeout(resolve, TICK_MS));
}
const sentAfter = (performance.now() - begun) / 1000;
await until("every task was accepted", () => ids.filter(Boolean).length === counts.sent, END_MS);
await until("every task was answered", () => counts.answered >= counts.sent, END_MS);
await until(
  "every task is completed",
  async () => await totalOf("TASK_STATE_COMPLETED") >= counts.sent,
  END_MS,
);
const doneAfter = (performance.now() - begun) / 1000;
stop.abort();
await agent;
await answerAll(sleeper, AbortSignal.timeout(1), STREAMS);
const ends = await Promise.all(streams);
clearInterval(sampler);
const distinct = new Set(ids).size;
processor += cpuSeconds(gateway.child.pid);
gateway.child.kill("SIGTERM");
await gateway.child.status;

const half = Math.floor(memory.length / 2);
console.log(
  `${counts.sent} tasks sent in ${sentAfter.toFixed(1)} s, all completed after ${doneAfter.toFixed(1)} s`,
);
console.log(`${counts.answered} messages reached the agent`);
console.log(`${distinct} tasks, ${counts.retried} requests repeated while the gateway was down`);
console.log(`${(processor / counts.sent * 1000).toFixed(1)} ms of the gateway's processor time per task`);
console.log(`slowest request ${counts.slowest.toFixed(0)} ms, without the repeated ones`);
console.log(
  `${ends.filter((end) => end === "TASK_STATE_COMPLETED").length} of ${STREAMS} streams saw the end`,
);
console.log(
  `memory in MB, before the kill: ${span(memory.slice(2, half - 1))}; after it: ${
    span(memory.slice(half + 2))
  }`,
);
if (
  distinct !== counts.sent || counts.answered !== counts.sent ||
  ends.some((end) => end !== "TASK_STATE_COMPLETED")
) Deno.exit(1);

async function start(port: number): Promise<{ child: Deno.ChildProcess; url: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", main, "a2a", "serve", "--port", String(port), "--agent", "codex"],
    env: { HOME: machine.path, DENO_DIR: denoDir, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { child, url: await gatewayUrl(child) };
}

/** Sends a task until somebody has accepted it. The id of the message makes a second try harmless. */
async function send(number: number): Promise<string> {
  const message = { messageId: `load-${number}`, role: "ROLE_USER", parts: [{ text: `Task ${number}` }] };
  const params = { message, configuration: { returnImmediately: true } };
  for (;;) {
    const begun = performance.now();
    try {
      const { task } = await rpc("SendMessage", params);
      counts.slowest = Math.max(counts.slowest, performance.now() - begun);
      return task.id;
    } catch {
      counts.retried++;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

// deno-lint-ignore no-explicit-any -- the answers of a server that the tests check elsewhere
async function rpc(method: string, params: unknown): Promise<any> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

async function totalOf(status: string): Promise<number> {
  return (await rpc("ListTasks", { status, pageSize: 1 })).totalSize;
}

/** A stream that is opened again after the gateway was killed; returns the last state. */
async function follow(): Promise<string> {
  let task: string | undefined;
  let state = "";
  while (!/COMPLETED|FAILED|REJECTED/.test(state)) {
    try {
      const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "Stay." }] };
      const path = task === undefined ? "/agents/pi/message:stream" : `/agents/pi/tasks/${task}:subscribe`;
      const body = JSON.stringify(task === undefined ? { message } : {});
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
      if (response.body === null || !response.ok) throw new Error(String(response.status));
      let text = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        task ??= /"task":\{"id":"([^"]+)"/.exec(text)?.[1];
        state = [...text.matchAll(/TASK_STATE_[A-Z]+/g)].at(-1)?.[0] ?? state;
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return state;
}

/** An agent that answers at once. A real one calls a model, and is asked less often. */
async function answerAll(session: ListedSession, signal: AbortSignal, most = Infinity): Promise<void> {
  const { gateway: mailbox } = openMesh(machine.host);
  const inbox = new Inbox(machine.dir);
  const { agentId, harness, key, machine: name } = session;
  for (let done = 0; done < most && (!signal.aborted || most < Infinity);) {
    const limits = { messages: 200, chars: Infinity };
    const { messages } = inbox.take(session, "idle", { policy: "none", limits });
    inbox.shown(session, messages);
    for (const message of messages) {
      sendReceipt(machine.dir, session, message, "seen");
      inbox.put(mailbox, {
        ...message,
        id: newMessageId(),
        at: Date.now(),
        from: { agentId, harness, session: key, machine: name },
        to: { session: mailbox.key },
        kind: "reply",
        wants: "none",
        replyTo: message.id,
        text: `Done: ${message.text}`,
      });
      done++;
      if (session === worker) counts.answered++;
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
}

function rss(pid: number): number {
  try {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`)) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

/** The time that a process has spent on a processor, by the ticks of Linux, 100 a second. */
function cpuSeconds(pid: number): number {
  const [, rest = ""] = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function span(values: readonly number[]): string {
  const known = values.filter((value) => value > 0);
  return known.length === 0 ? "unknown" : `${Math.min(...known)}-${Math.max(...known)}`;
}
