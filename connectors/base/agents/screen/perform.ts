import { type Context, EXIT, UserError } from "../../cli/command.ts";
import { knownNames } from "../../cli/agents/open_station.ts";
import { ATTENTION } from "../messages/attention.ts";
import type { BoardLock, BoardSession } from "../board/board.ts";
import { forceLock } from "../locks/locking.ts";
import { send } from "../messages/send.ts";
import type { Station } from "../station.ts";
import { line } from "./cells.ts";
import { jump, type Run } from "./jump.ts";
import type { Effect, Notice } from "./state.ts";

/** What reaches outside the screen. */
export type Action = Extract<Effect, { kind: "send" | "jump" | "release" }>;

/** Does what the user asked for, and reports it in a sentence. */
export async function perform(action: Action, context: Context, station: () => Station): Promise<Notice> {
  try {
    switch (action.kind) {
      case "send":
        return await sendMessage(action.to, action.text, context, station);
      case "jump":
        return await goTo(action.to, context);
      case "release":
        return await release(action.lock, context, station);
    }
  } catch (error) {
    if (error instanceof UserError) return problem(error.message);
    throw error;
  }
}

async function sendMessage(
  to: BoardSession,
  text: string,
  context: Context,
  station: () => Station,
): Promise<Notice> {
  if (context.mode === "readonly") {
    throw new UserError("Sending needs mode write, but this screen has mode readonly.", EXIT.refused);
  }
  const draft = { text, priority: 3, wants: "reply" } as const;
  const sent = await send(station(), to.key, draft, knownNames(context));
  switch (sent.state) {
    case "stored":
    case "accepted":
      return done(`Sent to ${sent.to}.${sent.woken === undefined ? "" : ` ${ATTENTION[sent.woken]}`}`);
    case "kept":
      return problem(`${sent.why} The message is on disk, and is sent when the daemon is back.`);
    case "nobody":
      return problem(`${sent.to} has no live session: the message waits for one.`);
  }
}

async function goTo({ terminal, here, handle }: BoardSession, { host }: Context): Promise<Notice> {
  if (!here) return problem(`${handle} runs on another machine.`);
  const { isThere, text } = await jump(terminal, { env: host.env, run });
  return { text: `${handle}: ${text}`, isProblem: !isThere };
}

/** Like `unlock --force`: a person may, an agent may not. */
async function release(lock: BoardLock, context: Context, station: () => Station): Promise<Notice> {
  if (context.mode !== "admin") {
    const words = context.command.id === "agents" ? "agents --watch" : context.command.id;
    return problem(`Freeing a lock needs mode admin. Quit, and run: ${context.binary} ${words} --mode admin`);
  }
  if (lock.token === "") return problem("This lock cannot be read; it ends by itself within ten minutes.");
  const freed = await forceLock(station(), lock.token);
  if (freed === undefined) return problem(`${lock.path} was freed or locked by another session meanwhile.`);
  return done(`Freed ${lock.path}, and notified ${lock.holder}.`);
}

/** A terminal that does not answer must not keep the screen waiting. */
const RUN_MS = 5_000;

const run: Run = async (program, args, env = {}) => {
  try {
    const signal = AbortSignal.timeout(RUN_MS);
    const command = new Deno.Command(program, { args: [...args], env, signal, stdin: "null" });
    const { success, stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    const out = decoder.decode(stdout);
    const [error = ""] = decoder.decode(stderr).trim().split("\n");
    return { isOk: success, out, error: line(error) || line(out) || (success ? "" : "it gives no reason") };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { isOk: false, out: "", error: `there is no program ${program}` };
  }
};

function done(text: string): Notice {
  return { text, isProblem: false };
}

function problem(text: string): Notice {
  return { text, isProblem: true };
}
