import { findSession, uniqueHandle } from "../../../agents/peers/lookup.ts";
import { liveSessions } from "../../../agents/mesh.ts";
import { send } from "../../../agents/messages/send.ts";
import { instructionsText } from "../../agents/instructions.ts";
import { knownNames, stationOf } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

/** Sends a live session its instructions again: it may have lost them, or the files have changed. */
export async function run(context: Context): Promise<Outcome> {
  const { args, flags, ui, host, binary } = context;
  const [name, ...more] = args;
  if (name === undefined || more.length > 0) {
    throw new UserError("To which session?", EXIT.usage, `${binary} agents instructions send codex`);
  }
  const station = stationOf(context);
  const found = findSession(liveSessions(station.mesh), name);
  if (found.kind === "ambiguous") {
    const handles = found.candidates.map((each) => uniqueHandle(each, found.candidates));
    throw new UserError(`${name} can mean ${handles.join(", ")}.`, EXIT.usage, `${binary} agents`);
  }
  if (found.kind !== "session") {
    throw new UserError(`${name} is not a live session on this machine.`, EXIT.usage, `${binary} agents`);
  }
  const text = await instructionsText(found.session, host);
  if (flags.on("dry-run")) {
    ui.block(`${text}\n`);
    return { code: EXIT.ok, data: { session: found.session.key, text, sent: false } };
  }
  const draft = { text, priority: 3, wants: "none", hop: 0 } as const;
  const sent = await send(station, found.session.key, draft, knownNames(context));
  ui.ok(`Sent to ${ui.bold(sent.to)} as ${sent.message.id}`);
  return { code: EXIT.ok, data: { session: found.session.key, id: sent.message.id, text, sent: true } };
}
