import { loadSettings } from "../../../../../hooks/daemon/settings.ts";
import { findSession } from "../../../agents/peers/lookup.ts";
import { liveSessions, openMesh } from "../../../agents/mesh.ts";
import { instructionsText } from "../../agents/instructions.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";
import { harnessByName } from "../../named_harnesses.ts";

/** Shows the instructions of a live session, or those of a harness's next session in this directory. */
export async function run(context: Context): Promise<Outcome> {
  const { args, ui, host, known, binary } = context;
  const [name = known.length === 1 ? known[0]?.id ?? "" : "", ...more] = args;
  if (more.length > 0 || name === "") {
    throw new UserError("Whose instructions?", EXIT.usage, `${binary} agents instructions show codex`);
  }
  const found = findSession(liveSessions(openMesh(host)), name);
  const harness = harnessByName(known, name);
  if (found.kind !== "session" && harness === undefined) {
    throw new UserError(`${name} is neither a harness nor one live session.`, EXIT.usage, `${binary} agents`);
  }
  const session = found.kind === "session" ? found.session : {
    harness: harness?.id ?? name,
    // A session gets its handle when it starts.
    key: "xxxx",
    agentId: loadSettings(harness?.id ?? name, host).agentId,
    project: Deno.cwd(),
  };
  const text = await instructionsText(session, host);
  ui.block(`${text}\n`);
  return {
    code: EXIT.ok,
    data: { harness: session.harness, session: found.kind === "session" ? session.key : undefined, text },
  };
}
