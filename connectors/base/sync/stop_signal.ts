export interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
  /** 130 after Ctrl-C, as shells report it; 0 if a service manager ended the process. */
  readonly exitCode: number;
}

/** Aborts on the signals that end a process; disposing removes the listeners. */
export function stopSignal(): StopSignal {
  const controller = new AbortController();
  let exitCode = 0;
  const interrupt = () => {
    exitCode = 130;
    controller.abort();
  };
  const end = () => controller.abort();
  // Not SIGHUP: listening would undo `nohup`. Windows has no SIGTERM, and closing its console window sends SIGBREAK.
  const other: Deno.Signal = Deno.build.os === "windows" ? "SIGBREAK" : "SIGTERM";
  Deno.addSignalListener("SIGINT", interrupt);
  Deno.addSignalListener(other, end);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    [Symbol.dispose]() {
      Deno.removeSignalListener("SIGINT", interrupt);
      Deno.removeSignalListener(other, end);
    },
  };
}
