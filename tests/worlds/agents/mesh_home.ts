import { assertEquals } from "@std/assert";
import { Inbox } from "../../../hooks/agents/messages/inbox.ts";
import type { Message } from "../../../hooks/agents/messages/message.ts";
import { AgentSessions, type ListedSession } from "../../../hooks/agents/sessions/session.ts";
import { HANG_MS } from "../../../connectors/base/testing/until.ts";
import { sampleMessage } from "../../../connectors/base/testing/sample_message.ts";
import { type Ended, type HookOptions, SampleHome } from "../hooks/sample_home.ts";

export const PROJECT = "/home/u/app";

/** What the hooks before and after a tool get: an edit. */
export const TOOL = { tool_name: "Edit", tool_input: { file_path: "/home/u/app/a.ts" } };

/** A session of the sample harness that takes part in the mesh, with its hooks as real processes. */
export class MeshHome implements AsyncDisposable {
  readonly home: SampleHome;
  readonly id = { harness: "sample", key: "5e551011-0000-4000-8000-000000000001" };

  private constructor(home: SampleHome) {
    this.home = home;
  }

  /** `url` is where the daemon is; by default nobody listens there. */
  static async make(url = "http://127.0.0.1:9", profile: object = {}): Promise<MeshHome> {
    const home = await SampleHome.make(url, profile);
    const dir = `${home.path}/.config/signet/connectors`;
    await Deno.mkdir(dir, { recursive: true });
    const settings = { url, agentId: "work", machineId: "m1", options: { agents: true } };
    await Deno.writeTextFile(`${dir}/sample.json`, JSON.stringify(settings), { mode: 0o600 });
    return new MeshHome(home);
  }

  /** A session that has begun. */
  static async begun(url?: string, profile?: object): Promise<MeshHome> {
    const mesh = await MeshHome.make(url, profile);
    const { code, stderr } = await mesh.hook("session-start", { source: "startup" });
    assertEquals([code, stderr], [0, ""]);
    return mesh;
  }

  get dir(): string {
    return `${this.home.path}/.local/state/signet/agents`;
  }

  get inbox(): Inbox {
    return new Inbox(this.dir);
  }

  get session(): ListedSession | undefined {
    return new AgentSessions(this.dir).get(this.id);
  }

  /** Runs one hook of the session. */
  hook(event: string, input: object = {}, options: HookOptions = {}): Promise<Ended> {
    const stdin = { session_id: this.id.key, cwd: PROJECT, ...input };
    return this.home.hook(event, { ...options, stdin });
  }

  /** Starts a hook and does not wait for it. */
  async start(event: string, input: object = {}, options: HookOptions = {}): Promise<Deno.ChildProcess> {
    const child = this.home.start(["hook", event], options, "piped");
    const writer = child.stdin.getWriter();
    const stdin = { session_id: this.id.key, cwd: PROJECT, ...input };
    await writer.write(new TextEncoder().encode(JSON.stringify(stdin))).catch(() => {});
    await writer.close().catch(() => {});
    return child;
  }

  /** Another agent of the same project writes to the session. */
  send(text: string, change: Partial<Message> = {}): Message {
    const message = sampleMessage({ text, ...change });
    this.inbox.put(this.id, message);
    return message;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]();
  }
}

/** What a process that was started wrote; one that hangs is killed. */
export async function ended(child: Deno.ChildProcess): Promise<Ended> {
  const hanging = setTimeout(() => child.kill("SIGKILL"), HANG_MS);
  try {
    const { code, stdout, stderr } = await child.output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  } finally {
    clearTimeout(hanging);
  }
}

/** The ids of the messages in a hook's output, in order. */
export function shownIds(output: string): string[] {
  return [...output.matchAll(/<agent-message-[0-9a-f]{16} id=\\?"(m_[0-9A-Z]{26})/g)].map(([, id = ""]) =>
    id
  );
}
