import { isEventName } from "../../../hooks/event.ts";
import { isRehearsal } from "../../../hooks/log.ts";
import { readLog } from "../../../hooks/report.ts";
import { stateDir } from "../../../hooks/state/paths.ts";
import { type Context, EXIT, UserError } from "../../base/cli/command.ts";
import type { Harness } from "../../base/harness.ts";

/** A hook that a harness ran, as proof that it is connected. */
export interface Hello {
  readonly harness: Harness;
  readonly ms: number;
}

const PAUSE_MS = 200;
const CTRL_C = 3;

/** Waits until one of the harnesses runs a hook, or the user presses a key. */
export async function waitForHello(
  { host }: Context,
  harnesses: readonly Harness[],
): Promise<Hello | undefined> {
  const since = new Date().toISOString();
  const look = () => {
    for (const harness of harnesses) {
      const dir = stateDir(harness.id, host);
      const hook = (dir === undefined ? [] : readLog(dir)).find((line) =>
        line.at >= since && isEventName(line.event) && !isRehearsal(line)
      );
      if (hook) return { harness, ms: hook.ms };
    }
    return undefined;
  };
  Deno.stdin.setRaw(true);
  try {
    let skipped = false;
    const key = readKey().then((code) => {
      skipped = true;
      return code;
    });
    for (;;) {
      const hello = look();
      if (hello) return hello;
      if (skipped) break;
      let timer: number | undefined;
      await Promise.race([key, new Promise((resolve) => timer = setTimeout(resolve, PAUSE_MS))]);
      clearTimeout(timer);
    }
    if (await key === CTRL_C) {
      throw new UserError("Stopped waiting; everything is connected.", EXIT.interrupted);
    }
    return undefined;
  } finally {
    Deno.stdin.setRaw(false);
  }
}

/** The first byte that the user types. */
async function readKey(): Promise<number> {
  const bytes = new Uint8Array(16);
  const read = await Deno.stdin.read(bytes);
  return read === null ? 0 : bytes[0] ?? 0;
}
