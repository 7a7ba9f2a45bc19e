/** What only a call of a shell needs, or of another program that may write anything. */
import "./common.ts";
export { readShell } from "./shell/read_shell.ts";
export { LockWatch } from "./watch.ts";
