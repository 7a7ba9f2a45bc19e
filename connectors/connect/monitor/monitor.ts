import { readBoard } from "../../base/agents/board/board.ts";
import { filterBoard } from "../../base/agents/board/filter_board.ts";
import { openMesh } from "../../base/agents/mesh.ts";
import { runScreen } from "../../base/agents/screen/run_screen.ts";
import { boardDocument, printBoard } from "../../base/cli/agents/board_output.ts";
import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";
import { hasScreen } from "../../base/cli/output/has_screen.ts";

/** Shows what all agents do: on a terminal until the user quits, elsewhere once. */
export async function run(context: Context): Promise<Outcome> {
  const { host, flags, ui } = context;
  if (flags.on("web")) return await (await import("./web/run.ts")).runWeb(context);
  const filter = { project: flags.text("project") };
  if (hasScreen(ui, host)) return { code: await runScreen(context, "monitor", filter), data: undefined };
  const board = filterBoard(readBoard(openMesh(host)), filter);
  printBoard(context, board);
  return { code: EXIT.ok, data: boardDocument(board) };
}
