import { newNonce, wrapMessages } from "../../../../../hooks/agents/messages/wrap.ts";
import { ATTENTION } from "../../../agents/messages/attention.ts";
import { runHeadless } from "../../../agents/wake/headless.ts";
import { messageText } from "../../../agents/messages/message_text.ts";
import { outsideAlias } from "../../../agents/peers/outside.ts";
import { send, type Sent } from "../../../agents/messages/send.ts";
import type { Station } from "../../../agents/station.ts";
import { waitForAnswers } from "../../../agents/messages/wait.ts";
import { stopSignal } from "../../../sync/stop_signal.ts";
import { printAnswer } from "../../agents/answer_output.ts";
import { draftFlags, duration } from "../../agents/draft_flags.ts";
import { knownNames, stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

/** A receiver on another machine acknowledges within this time, if it is there. */
const RECEIPT_MS = 2_000;
const START_SECONDS = 600;

/** Sends a message to another agent. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, ui } = context;
  const [to, ...words] = args;
  if (to === undefined) {
    throw new UserError("To whom? Name an agent.", EXIT.usage, `${context.binary} send codex "…"`);
  }
  if (outsideAlias(to) !== undefined) {
    throw new UserError(
      `Only signet-connect writes to outside agents.`,
      EXIT.usage,
      `signet-connect send ${to} "…"`,
    );
  }
  const waitSeconds = flags.text("wait") === undefined
    ? undefined
    : duration("wait", flags.text("wait") ?? "");
  const text = await messageText(words, { file: flags.text("file") });
  const station = stationOf(context);
  const draft = { ...draftFlags(context), text };
  const options = { starts: flags.on("start") };
  const sent = await ui.during("Sending", send(station, to, draft, knownNames(context), options));
  if (sent.state === "nobody" && flags.on("start")) return await start(context, station, sent, waitSeconds);
  print(context, sent);
  if (sent.state === "nobody") return { code: EXIT.nobody, data: document(sent) };
  if (waitSeconds !== undefined) return await wait(context, station, sent, waitSeconds);
  const state = sent.state === "accepted" ? await acknowledged(context, station, sent) : sent.state;
  return { code: EXIT.ok, data: { ...document(sent), state } };
}

function print({ ui, binary }: Context, sent: Sent): void {
  const { message, to, peer, state, why } = sent;
  const place = peer?.project ? ` in ${ui.path(peer.project)}` : "";
  switch (state) {
    case "stored":
    case "accepted":
      ui.ok(`Sent to ${ui.bold(to)}${place} as ${message.id}`);
      if (sent.woken !== undefined) ui.next(ATTENTION[sent.woken]);
      if (message.wants === "reply") ui.next(`To wait for the answer, run: ${binary} wait ${message.id}`);
      return;
    case "kept":
      return ui.warn(`${why} The message is on disk as ${message.id}, and is sent when it is back.`);
    case "nobody": {
      const hours = Math.max(1, Math.round(message.ttl / 3600));
      ui.warn(
        `Nobody is there: ${to} has no live session. The message waits for ${hours} h as ${message.id}.`,
      );
      if (sent.harness) {
        ui.hint(`To start one that answers now, run: ${binary} send ${sent.harness} --start …`);
      }
    }
  }
}

/** Says whether the message has left the daemon's memory for a disk. */
async function acknowledged(context: Context, station: Station, sent: Sent): Promise<string> {
  const { ui } = context;
  const { message, to } = sent;
  let state: string = sent.state;
  using stop = stopSignal();
  const done = new AbortController();
  await ui.during(
    "Waiting for a receipt",
    waitForAnswers(station, [message.id], {
      ms: RECEIPT_MS,
      signal: AbortSignal.any([stop.signal, done.signal]),
      onReceipt: (_id, receipt) => {
        state = receipt;
        done.abort();
      },
    }),
  );
  if (state === "accepted" && station.remote?.transport.keeps === "disk") {
    ui.next(`The server keeps it until the machine of ${to} takes it.`);
  } else if (state === "accepted") {
    ui.warn(
      `${to} has not acknowledged it yet. The daemon keeps messages in memory: a restart loses them, ` +
        `and it is then sent again by the next command or session of yours that reaches the daemon.`,
    );
  } else ui.next(`It is on the disk of the receiving machine (${state}).`);
  return state;
}

async function wait(context: Context, station: Station, sent: Sent, seconds: number): Promise<Outcome> {
  const { ui } = context;
  using stop = stopSignal();
  const waited = await ui.during(
    `Waiting for the answer of ${sent.to}`,
    waitForAnswers(station, [sent.message.id], { ms: seconds * 1000, signal: stop.signal }),
  );
  const { code, data } = printAnswer(context, waited, seconds);
  return { code: stop.signal.aborted ? EXIT.interrupted : code, data: { ...document(sent), ...data } };
}

/** Runs the harness with the message as its prompt; what it prints is the answer. */
async function start(
  context: Context,
  { caller }: Station,
  sent: Sent,
  waitSeconds = START_SECONDS,
): Promise<Outcome> {
  const { ui, known, host, flags } = context;
  const harness = known.find(({ id }) => id === sent.harness);
  if (harness === undefined) {
    throw new UserError(
      `--start needs the name of a harness, not ${sent.to}.`,
      EXIT.usage,
      "send codex --start …",
    );
  }
  using stop = stopSignal();
  const { message } = sent;
  // A person's words are the prompt; another agent's are labelled as such.
  const prompt = caller.kind === "person"
    ? message.text
    : wrapMessages([{ ...message, wants: "none", again: false }], newNonce());
  const ran = await ui.during(
    `${harness.displayName} works on it`,
    runHeadless(harness, host, {
      prompt,
      cwd: flags.text("cwd") ?? Deno.cwd(),
      ms: waitSeconds * 1000,
      hop: message.hop + 1,
      signal: stop.signal,
    }),
  );
  const data = { ...document(sent), state: ran.kind === "answer" ? "done" : "failed", answer: ran.text };
  switch (ran.kind) {
    case "answer":
      ui.block(`${ran.text}\n`);
      return { code: EXIT.ok, data };
    case "timeout":
      ui.fail(`${harness.displayName} did not answer within ${waitSeconds} s and was stopped.`);
      return { code: EXIT.degraded, data };
    case "stopped":
      return { code: EXIT.interrupted, data };
    case "failed":
      ui.fail(`${harness.displayName} failed: ${ran.text}`);
      return { code: EXIT.failed, data };
  }
}

function document({ message, to, peer, state, why }: Sent) {
  return {
    id: message.id,
    to,
    session: peer?.key,
    agentId: peer?.agentId,
    thread: message.thread,
    state,
    why,
  };
}
