import { handleOf } from "../../../../hooks/agents/sessions/handle.ts";
import { readLines } from "../../../../hooks/agents/locks/lock_log.ts";
import { Locks } from "../../../../hooks/agents/locks/locks.ts";
import { openMesh } from "../../agents/mesh.ts";
import { localTime, selectLines } from "../agents/log_filter.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { table } from "../output/layout.ts";

/** Shows the edits that hooks have seen. */
export function run(context: Context): Promise<Outcome> {
  const { flags, ui, host, args } = context;
  const by = flags.text("by");
  const all = readLines(new Locks(openMesh(host).dir).changesPath).map((line) => ({
    ...line,
    handle: handleOf({ harness: String(line.harness), key: String(line.session) }),
  }));
  const mine = all.filter((line) =>
    by === undefined || Object.values(line).some((value) => value === by) || line.handle.startsWith(by)
  );
  const changes = selectLines(context, mine);
  if (changes.length === 0) {
    ui.say(args.length === 0 ? "No edit was seen." : "No edit of these files was seen.");
  } else {
    ui.block(table(
      ["TIME", "AGENT", "SESSION", "TOOL", "PATH"],
      changes.map(({ at, agentId, handle, tool, path }) => [
        localTime(at),
        String(agentId),
        String(handle),
        String(tool),
        ui.path(String(path)),
      ]),
      ui,
    ));
  }
  return Promise.resolve({ code: EXIT.ok, data: { changes } });
}
