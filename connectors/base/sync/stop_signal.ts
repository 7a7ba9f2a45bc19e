/** Aborts when the terminal or the system asks this process to end; disposing gives the signals back. */
export function stopSignal(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // SIGHUP stays as it is: listening would undo `nohup`. Windows knows no SIGTERM, and closing its console window is SIGBREAK.
  const names: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGINT", "SIGTERM"];
  for (const name of names) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of names) Deno.removeSignalListener(name, stop);
    },
  };
}
