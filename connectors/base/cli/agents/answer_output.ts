import { stripControls } from "../../../../hooks/context_text/strip_controls.ts";
import { senderName } from "../../../../hooks/agents/messages/wrap.ts";
import type { Waited } from "../../agents/messages/wait.ts";
import { type Context, EXIT } from "../command.ts";

/** Prints the answers to messages, and says which ones have none. */
export function printAnswer(
  { ui, binary }: Pick<Context, "ui" | "binary">,
  { answers, open, asked }: Waited,
  seconds: number,
): { code: number; data: Record<string, unknown> } {
  for (const { id, reply, state } of answers) {
    if (reply === undefined) ui.fail(`There will be no answer to ${id}: it is ${state}.`);
    else {
      if (state === "failed") ui.fail(`${senderName(reply.from)} could not do it:`);
      // Another agent's words must not control the terminal.
      ui.block(`${stripControls(reply.text).trim()}\n`);
    }
  }
  if (asked !== undefined) {
    ui.warn(
      `No answer yet, and ${senderName(asked.from)} waits for one of yours. Answer it first: ${binary} inbox`,
    );
  } else if (open.length > 0) {
    ui.warn(`No answer to ${open.join(", ")} within ${seconds} s.`);
    ui.hint(`To wait again, run: ${binary} wait ${open.join(" ")}`);
  }
  const failed = answers.some(({ state }) => state !== "done");
  return {
    code: failed ? EXIT.failed : open.length > 0 ? EXIT.degraded : EXIT.ok,
    data: {
      answers: answers.map(({ id, reply, state }) => ({
        id,
        state,
        from: reply && senderName(reply.from),
        agentId: reply?.from.agentId,
        text: reply?.text,
      })),
      open,
    },
  };
}
