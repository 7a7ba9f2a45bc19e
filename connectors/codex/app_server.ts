import { isObject } from "../../hooks/json.ts";

/** The fields that we use of a hook in the answer of `codex app-server`. */
export interface ListedHook {
  readonly command: string;
  readonly eventName: string;
  readonly trustStatus: string;
  readonly enabled: boolean;
}

const DEADLINE_MS = 15_000;
/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;
const NO_ANSWER = "codex app-server ended, or took too long, before it answered hooks/list";

function* members(value: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) yield* value.filter(isObject);
}

/** The hooks in the answer to `hooks/list`; handlers without a command are skipped. */
export function readHooks(result: unknown): ListedHook[] {
  const hooks: ListedHook[] = [];
  for (const place of members(isObject(result) ? result.data : undefined)) {
    for (const { command, eventName, trustStatus, enabled } of members(place.hooks)) {
      if (typeof command !== "string") continue;
      hooks.push({
        command,
        eventName: String(eventName),
        trustStatus: String(trustStatus),
        enabled: enabled !== false,
      });
    }
  }
  return hooks;
}

/** Asks Codex for its hooks in a directory; a string is the reason why there is no answer. */
export async function listHooks(
  cwd: string,
  program = "codex",
  deadlineMs = DEADLINE_MS,
): Promise<ListedHook[] | string> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args: ["app-server"],
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (err) {
    if (err instanceof Deno.errors.NotFound) return "the program 'codex' is not on PATH";
    throw err;
  }
  let timer: number | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(resolve, deadlineMs));
  const writer = child.stdin.getWriter();
  try {
    return await Promise.race([converse(writer, child.stdout, cwd), late]) ?? NO_ANSWER;
  } catch (err) {
    if (err instanceof Deno.errors.BrokenPipe) return NO_ANSWER;
    return `codex app-server sent an invalid answer: ${err instanceof Error ? err.message : String(err)}`;
  } finally {
    clearTimeout(timer);
    end(child, "SIGTERM");
    await writer.close().catch(() => {}); // the process may have ended
    // `status` must not hang on a program that ignores SIGTERM.
    timer = setTimeout(() => end(child, "SIGKILL"), GRACE_MS);
    await child.status;
    clearTimeout(timer);
  }
}

function end(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch {
    // already ended
  }
}

async function converse(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  stdout: ReadableStream<Uint8Array>,
  cwd: string,
): Promise<ListedHook[] | string | undefined> {
  const send = (message: Record<string, unknown>) =>
    writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  await send({ id: 1, method: "initialize", params: { clientInfo: { name: "signet", version: "1" } } });
  let rest = "";
  for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: unknown = JSON.parse(line);
      if (!isObject(message)) continue;
      if (isObject(message.error)) return `codex app-server: ${String(message.error.message)}`;
      if (message.id === 2) return readHooks(message.result);
      if (message.id !== 1) continue;
      await send({ method: "initialized" });
      await send({ id: 2, method: "hooks/list", params: { cwds: [cwd] } });
    }
  }
  return undefined;
}
