import type { Surroundings } from "../../../../hooks/state/paths.ts";
import type { Ui } from "./ui.ts";

/** Whether a person looks at a terminal on which a program can move the cursor. */
export function hasScreen(ui: Pick<Ui, "interactive">, host: Pick<Surroundings, "env">): boolean {
  return ui.interactive && host.env("TERM") !== "dumb";
}
