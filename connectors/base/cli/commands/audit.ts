import { handleOf } from "../../../../hooks/agents/sessions/handle.ts";
import { readLines } from "../../../../hooks/agents/locks/lock_log.ts";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import { openMesh } from "../../agents/mesh.ts";
import { localTime, selectLines } from "../agents/log_filter.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { table } from "../output/layout.ts";

/** Shows what happened to locks. */
export function run(context: Context): Promise<Outcome> {
  const { ui, host } = context;
  const events = selectLines(context, readLines(new Locks(openMesh(host).dir).logPath));
  if (events.length === 0) ui.say("Nothing has happened to a lock.");
  else {
    ui.block(table(
      ["TIME", "EVENT", "PATH", "OWNER", "BY", "DETAIL"],
      events.map(({ at, event, path, owner, by, detail }) => [
        localTime(at),
        String(event),
        ui.path(String(path)),
        handle(owner),
        by === undefined ? "" : handle(by),
        detail === undefined ? "" : String(detail),
      ]),
      ui,
    ));
  }
  return Promise.resolve({ code: EXIT.ok, data: { events } });
}

/** The log has a harness and a session key: `codex 019a…`. */
function handle(owner: unknown): string {
  const [harness = "", ...rest] = String(owner).split(" ");
  if (rest.length === 0 || harness === "person") return harness;
  return handleOf({ harness, key: rest.join(" ") });
}
