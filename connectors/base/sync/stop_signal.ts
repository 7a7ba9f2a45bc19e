/** Aborts on the signals that end a process; disposing removes the listeners. */
export function stopSignal(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Not SIGHUP: listening would undo `nohup`. Windows has no SIGTERM, and closing its console window sends SIGBREAK.
  const names: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];
  for (const name of names) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) Deno.removeSignalListener(name, stop);
    },
  };
}
