import { until } from "../../connectors/base/testing/until.ts";

/**
 * Listens on a port that was in use until now, as soon as the system frees it: a process
 * that another test is starting has the old socket until it becomes another program.
 */
export function listenAgain<T>(listen: () => T): Promise<T> {
  return until("the port is free", () => {
    try {
      return listen();
    } catch (error) {
      if (error instanceof Deno.errors.AddrInUse) return undefined;
      throw error;
    }
  });
}
