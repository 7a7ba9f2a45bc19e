import { readBoard, withPeers } from "../../base/agents/board/board.ts";
import { filterBoard } from "../../base/agents/board/filter_board.ts";
import { openMesh } from "../../base/agents/mesh.ts";
import { reachPeers } from "../../base/agents/peers/reach_peers.ts";
import { runScreen } from "../../base/agents/screen/run_screen.ts";
import { boardDocument, printBoard } from "../../base/cli/agents/board_output.ts";
import { connectedStations } from "../../base/cli/agents/open_station.ts";
import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";
import { hasScreen } from "../../base/cli/output/has_screen.ts";

/** Shows what all agents do: on a terminal until the user quits, elsewhere once. */
export async function run(context: Context): Promise<Outcome> {
  const { host, flags, ui } = context;
  if (flags.on("web")) return await (await import("./web/run.ts")).runWeb(context);
  const filter = { project: flags.text("project") };
  if (hasScreen(ui, host)) return { code: await runScreen(context, "monitor", filter), data: undefined };
  const mesh = openMesh(host);
  const elsewhere = await ui.during("Looking for agents", reachPeers(connectedStations(context, mesh)));
  const board = filterBoard(withPeers(readBoard(mesh), elsewhere), filter);
  printBoard(context, board);
  return { code: EXIT.ok, data: boardDocument(board) };
}
