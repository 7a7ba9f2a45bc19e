import { type Context, EXIT, type Outcome } from "../../../base/cli/command.ts";
import type { OutsideAnswer } from "./call_outside.ts";

/** Prints what an outside agent answered. */
export function printOutside(
  { ui }: Pick<Context, "ui">,
  to: string,
  answer: OutsideAnswer,
  seconds: number,
): Outcome {
  const data = { to, ...answer };
  switch (answer.state) {
    case "done":
      ui.block(`${answer.text}\n`);
      return { code: EXIT.ok, data };
    case "failed":
      ui.fail(`${to} could not do it: ${answer.text}`);
      return { code: EXIT.failed, data };
    case "needs input":
      ui.warn(`${to} waits for somebody: ${answer.text}`);
      return { code: EXIT.degraded, data };
    case "not yet":
      ui.warn(
        `${to} has not answered within ${seconds} s${answer.taskId ? `; the task is ${answer.taskId}` : ""}.`,
      );
      return { code: EXIT.degraded, data };
  }
}
