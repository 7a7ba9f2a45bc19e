import { readBoard } from "../../base/agents/board/board.ts";
import { openMesh } from "../../base/agents/mesh.ts";
import { boardDocument, printBoard } from "../../base/cli/agents/board_output.ts";
import { filterBoard } from "../../base/agents/board/filter_board.ts";
import { type Context, EXIT, type Outcome } from "../../base/cli/command.ts";

/** Shows what all agents do. */
export async function run(context: Context): Promise<Outcome> {
  const { host, flags } = context;
  if (flags.on("web")) return await (await import("./web/run.ts")).runWeb(context);
  const board = filterBoard(readBoard(openMesh(host)), { project: flags.text("project") });
  printBoard(context, board);
  return { code: EXIT.ok, data: boardDocument(board) };
}
