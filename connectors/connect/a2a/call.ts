import { outsideAgents, outsideAlias } from "../../base/agents/peers/outside.ts";
import { checkText, messageText } from "../../base/agents/messages/message_text.ts";
import { duration } from "../../base/cli/agents/draft_flags.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { stopSignal } from "../../base/sync/stop_signal.ts";
import { readToken } from "./outside/read_token.ts";
import { callOutside } from "./outside/call_outside.ts";
import { outsideClient } from "./outside/outside_client.ts";
import { printOutside } from "./outside/print_answer.ts";

const SECONDS = "300";

/** Sends a text to an agent anywhere that speaks A2A, and prints its answer. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, binary } = context;
  const [to, ...words] = args;
  if (to === undefined) {
    throw new UserError("Whom? Give a URL or ext:ALIAS.", EXIT.usage, `${binary} a2a call https://… "…"`);
  }
  const text = await messageText(words, { file: flags.text("file") });
  return await callAgent(context, to, text, duration("wait", flags.text("wait") ?? SECONDS));
}

/** Calls an outside agent by its URL or its handle. */
export async function callAgent(
  context: Context,
  to: string,
  text: string,
  seconds: number,
): Promise<Outcome> {
  const { flags, ui, host, binary } = context;
  checkText(text);
  const alias = outsideAlias(to);
  const known = outsideAgents(host).find((agent) => agent.alias === alias);
  if (alias !== undefined && known === undefined) {
    throw new UserError(
      `There is no outside agent ${to}. Nothing was sent.`,
      EXIT.usage,
      `${binary} a2a peers add ${alias} URL`,
    );
  }
  const token = await readToken(flags.text("token-file")) ?? known?.token;
  using stop = stopSignal();
  const client = await outsideClient({ url: known?.url ?? to, token }, {
    insecureHttp: flags.on("insecure-http"),
  });
  try {
    const calling = callOutside(client, text, { ms: seconds * 1000, signal: stop.signal });
    const answer = await ui.during(`Waiting for the answer of ${to}`, calling);
    return printOutside(context, to, answer, seconds);
  } catch (error) {
    throw new UserError(`${to} failed: ${error instanceof Error ? error.message : error}`);
  }
}
