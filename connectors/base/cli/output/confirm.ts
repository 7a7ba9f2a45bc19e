import { EXIT, UserError } from "../command.ts";
import type { Ui } from "./ui.ts";

/** Asks a yes-or-no question on a terminal; without a terminal the answer is no. */
export async function confirm(ui: Ui, question: string): Promise<boolean> {
  if (!ui.interactive) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: question, initialValue: false });
  if (isCancel(answer)) throw new UserError("Cancelled. Nothing was changed.", EXIT.interrupted);
  return answer;
}
