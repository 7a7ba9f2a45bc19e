/** `deno task e2e --a2a`: tasks that arrive by A2A are done by the real programs. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "@std/path";
import { handleOf } from "../../../hooks/agents/sessions/handle.ts";
import { AgentSessions } from "../../../hooks/agents/sessions/session.ts";
import { isObject } from "../../../hooks/json.ts";
import * as claudeCodeRun from "../harnesses/claude_code.ts";
import * as codexRun from "../harnesses/codex.ts";
import type { MeshKit } from "./mesh_kit.ts";
import { claudeKit, codexKit } from "./mesh_kits.ts";
import { offersTools } from "../model/main_requests.ts";
import { REPLY, sayPlainly, type Script } from "../model/turn.ts";
import { Screen } from "../screen.ts";
import { connectorPath, type Scenario, type Stage } from "../stage.ts";
import * as steps from "../steps.ts";
import { poll } from "../watch.ts";
import { gatewayUrl } from "../../worlds/a2a/gateway_url.ts";

interface Kit extends Pick<MeshKit, "furnish" | "installFlags" | "shell"> {
  env(stage: Stage): Record<string, string>;
  /** What the user wants every run without a terminal to have: `start` in agents.json. */
  readonly startArgs: readonly string[];
  /** The screen, in which shell commands run without a question. */
  screenArgs(prompt: string): string[];
}

const MARK = "TURNSTONE";
const ANSWER = "The harbour was built in 1871.";

async function play(stage: Stage, kit: Kit): Promise<void> {
  const { harness } = stage.scenario;
  await kit.furnish(stage);
  await stage.userFile(
    ".config/signet/agents.json",
    JSON.stringify({ start: { [harness.id]: kit.startArgs } }),
  );
  await steps.fillDaemon(stage);
  await steps.install(stage, "--agents", ...kit.installFlags);
  const connect = join(dirname(connectorPath(stage.scenario)), "signet-connect");
  const made = await stage.exec(connect, ["a2a", "tokens", "create", "e2e"]);
  steps.succeeded(made);
  await using gateway = await Gateway.start(stage, connect, kit.env(stage), made.stdout.trim());

  stage.model.script = sayPlainly;
  await stage.check(
    `a task for ${harness.displayName} without a session is done by a run of it`,
    async () => {
      const task = await gateway.send(harness.id, `${MARK}: say it plainly`);
      assertEquals(task.state, "TASK_STATE_COMPLETED", task.text);
      assertStringIncludes(task.text, REPLY);
      const asked = stage.model.requests.find(({ raw }) => raw.includes(MARK));
      assertStringIncludes(asked?.raw ?? "", "Messages from other agents follow.", "the words are labelled");
    },
  );

  const sessions = new AgentSessions(stage.at(".local/state/signet/agents"));
  const before = new Set(sessions.list().map(({ key }) => key));
  const env = { ...kit.env(stage), TERM: "xterm-256color" };
  await using screen = await Screen.open(stage, kit.screenArgs("DUNLIN: hello"), env);
  const mine = () => Promise.resolve(sessions.list().find(({ key }) => !before.has(key)));
  const idle = await poll(mine, (session) => session?.status === "idle");
  await stage.check(
    `a task reaches the live session of ${harness.displayName}, whose reply completes it`,
    async () => {
      assert(idle?.status === "idle", `no idle session: ${idle?.status}\n${await screen.text()}`);
      stage.model.script = answerOnce(kit, `'${connectorPath(stage.scenario)}' reply --as ${idle.key}`);
      const task = await gateway.send(handleOf(idle), `${MARK}-LIVE: when was the harbour built?`);
      assertEquals([task.state, task.text], ["TASK_STATE_COMPLETED", ANSWER], await screen.text());
    },
  );
  await screen.killProgram();
}

/** The model answers the message of the task with a shell command, as an agent does. */
function answerOnce(kit: Kit, reply: string): Script {
  let done = false;
  return (request) => {
    const at = request.raw.indexOf(`${MARK}-LIVE`);
    if (done || at < 0 || !offersTools(request)) return { text: REPLY };
    const id = [...request.raw.slice(0, at).matchAll(/\bid=\\*"(m_[0-9A-Z]{26})/g)].at(-1)?.[1];
    if (id === undefined) return { text: REPLY };
    done = true;
    return { tool: kit.shell(request, `${reply} ${id} '${ANSWER}'`) };
  };
}

/** `signet-connect a2a serve` on the stage. */
class Gateway implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #url: string;
  readonly #token: string;

  private constructor(child: Deno.ChildProcess, url: string, token: string) {
    this.#child = child;
    this.#url = url;
    this.#token = token;
  }

  static async start(
    stage: Stage,
    connect: string,
    env: Record<string, string>,
    token: string,
  ): Promise<Gateway> {
    const child = new Deno.Command(connect, {
      args: ["a2a", "serve", "--port", "0", "--start"],
      cwd: stage.project,
      clearEnv: true,
      env: stage.env(env),
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    return new Gateway(child, await gatewayUrl(child), token);
  }

  /** Sends a task and waits until it is done. */
  async send(handle: string, text: string): Promise<{ state: string; text: string }> {
    const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
    const sent = await this.#call(handle, "SendMessage", {
      message,
      configuration: { returnImmediately: true },
    });
    const { id } = isObject(sent.task) ? sent.task : { id: "" };
    // A screen may take minutes on a busy machine.
    const task = await poll(
      () => this.#call(handle, "GetTask", { id }),
      (task) => !/SUBMITTED|WORKING/.test(stateOf(task)),
      300_000,
    );
    const [, words = JSON.stringify(task.status)] =
      /"artifacts":.*?"text":"(.*?)"/.exec(JSON.stringify(task)) ?? [];
    return { state: stateOf(task), text: words };
  }

  async #call(handle: string, method: string, params: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#url}/agents/${handle}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.#token}`,
        "a2a-version": "1.0",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const body: unknown = await response.json();
    if (isObject(body) && isObject(body.result)) return body.result;
    throw new Error(`${method}: ${response.status} ${JSON.stringify(body)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.status;
  }
}

function stateOf({ status }: Record<string, unknown>): string {
  return isObject(status) ? String(status.state) : "";
}

function a2a(scenario: Scenario, kit: Kit): Scenario {
  return { ...scenario, play: (stage) => play(stage, kit) };
}

/** The harnesses that `deno task e2e --a2a` plays. */
export const A2A: readonly Scenario[] = [
  a2a(claudeCodeRun.scenario, {
    ...claudeKit,
    env: claudeCodeRun.env,
    startArgs: [],
    // In its default, auto mode, Claude Code asks a server whether a command is harmless.
    screenArgs: (prompt) => [prompt, "--permission-mode", "default", "--allowedTools", "Bash"],
  }),
  a2a(codexRun.scenario, {
    ...codexKit,
    env: () => ({ STUB_KEY: "stub" }),
    startArgs: ["--skip-git-repo-check"],
    screenArgs: (prompt) => [
      ...["-m", "stub-1", "--sandbox", "danger-full-access", "--ask-for-approval", "never", prompt],
    ],
  }),
];
