import { type Context, EXIT } from "../../cli/command.ts";
import { connectedStations, stationOf } from "../../cli/agents/open_station.ts";
import { type Board, withPeers } from "../board/board.ts";
import { type BoardFilter, filterBoard } from "../board/filter_board.ts";
import { watchBoard } from "../board/watch_board.ts";
import { type Mesh, openMesh } from "../mesh.ts";
import { type Elsewhere, reachPeers } from "../peers/reach_peers.ts";
import type { Station } from "../station.ts";
import { type Key, KeyDecoder } from "./keys.ts";
import { type Action, perform } from "./perform.ts";
import { reduce } from "./reduce.ts";
import { render } from "./render.ts";
import { type Effect, initialState, type Layout, type Notice, type ScreenState } from "./state.ts";
import { TerminalScreen } from "./terminal_screen.ts";

/** How often durations are drawn again. */
const TICK_MS = 1_000;
/** How often the daemons are asked for sessions on other machines. */
const PEERS_MS = 5_000;
/** What follows an escape within this time belongs to the same key. */
const ESCAPE_MS = 50;

/** Shows the agents on the whole terminal until the user quits; returns the exit code. */
export async function runScreen(context: Context, layout: Layout, filter: BoardFilter): Promise<number> {
  using screen = new TerminalScreen({
    write,
    setRaw: (on) => Deno.stdin.setRaw(on),
    color: context.ui.color,
  });
  using session = new ScreenSession(context, screen, layout, filter);
  return await session.run();
}

/** The state of the screen, and everything that changes it. */
class ScreenSession implements Disposable {
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<number>();
  readonly #mesh: Mesh;
  readonly #disposables = new DisposableStack();
  #state: ScreenState;
  /** What is known on this machine. */
  #local: Board = { sessions: [], locks: [], messages: [], statuses: [], problems: [] };
  /** What is shown. */
  #board = this.#local;
  #elsewhere: Elsewhere = { peers: [], problems: [] };
  #size = consoleSize();
  /** Who sends messages from this screen; opened by the first one. */
  #station?: Station;

  constructor(
    private readonly context: Context,
    private readonly screen: TerminalScreen,
    layout: Layout,
    private readonly filter: BoardFilter,
  ) {
    this.#mesh = openMesh(context.host);
    this.#state = initialState(layout);
  }

  async run(): Promise<number> {
    this.#on("SIGINT", () => this.#end(EXIT.interrupted));
    this.#on("SIGTERM", () => this.#end(EXIT.ok));
    this.#on("SIGHUP", () => this.#end(128 + 1));
    this.#on("SIGQUIT", () => this.#end(128 + 3));
    this.#on("SIGWINCH", () => this.#draw());
    const timer = setInterval(() => this.#draw(), TICK_MS);
    this.#disposables.defer(() => clearInterval(timer));
    for (const task of [this.#watch(), this.#askDaemons(), this.#readKeys()]) {
      task.catch((error) => this.#ended.reject(error));
    }
    return await this.#ended.promise;
  }

  #end(code: number): void {
    this.#ended.resolve(code);
  }

  /** A signal; not every system has every signal. */
  #on(signal: Deno.Signal, act: () => void): void {
    try {
      Deno.addSignalListener(signal, act);
      this.#disposables.defer(() => Deno.removeSignalListener(signal, act));
    } catch {
      // Windows has no such signal.
    }
  }

  async #watch(): Promise<void> {
    for await (const board of watchBoard(this.#mesh, this.#stop.signal)) {
      this.#local = board;
      this.#update();
    }
  }

  async #askDaemons(): Promise<void> {
    const stations = connectedStations(this.context, this.#mesh);
    while (stations.length > 0 && !this.#stop.signal.aborted) {
      this.#elsewhere = await reachPeers(stations);
      this.#update();
      await new Promise((resolve) => setTimeout(resolve, PEERS_MS));
    }
  }

  async #readKeys(): Promise<void> {
    const decoder = new KeyDecoder();
    const buffer = new Uint8Array(4096);
    let timer: ReturnType<typeof setTimeout> | undefined;
    while (!this.#stop.signal.aborted) {
      const size = await Deno.stdin.read(buffer);
      clearTimeout(timer);
      // The terminal is gone.
      if (size === null) return this.#end(128 + 1);
      this.#press(decoder.push(buffer.subarray(0, size)));
      if (decoder.isUnfinished) timer = setTimeout(() => this.#press(decoder.flush()), ESCAPE_MS);
    }
  }

  #press(keys: readonly Key[]): void {
    try {
      for (const key of keys) {
        const { state, effect } = reduce(this.#state, key, this.#board);
        this.#state = state;
        if (effect !== undefined) this.#act(effect);
      }
    } catch (error) {
      this.#ended.reject(error);
    }
    this.#draw();
  }

  #act(effect: Effect): void {
    switch (effect.kind) {
      case "quit":
        return this.#end(effect.by === "key" ? EXIT.ok : EXIT.interrupted);
      case "redraw":
        return this.screen.forget();
      case "suspend":
        return this.#suspend();
      default:
        this.#perform(effect);
    }
  }

  #perform(action: Action): void {
    if (action.kind === "send") this.#notify({ text: `Sending to ${action.to.handle} …`, isProblem: false });
    perform(action, this.context, () => this.#station ??= this.#openStation()).then(
      (notice) => {
        this.#notify(notice);
        this.#draw();
      },
      (error) => this.#ended.reject(error),
    );
  }

  /** Its warnings go to the line for results: elsewhere they would be drawn over the screen. */
  #openStation(): Station {
    return stationOf(this.context, (text) => this.#notify({ text, isProblem: true }));
  }

  #notify(notice: Notice): void {
    this.#state = { ...this.#state, notice };
  }

  /** Gives the terminal back to the shell until it continues this program. */
  #suspend(): void {
    this.screen.close();
    try {
      Deno.kill(Deno.pid, "SIGTSTP");
    } catch {
      // Windows cannot stop a program.
    }
    // Runs once it continues, or at once if nobody can stop it.
    setTimeout(() => {
      this.screen.open();
      this.#draw();
    }, 100);
  }

  /** Takes up what has changed on this machine or elsewhere. */
  #update(): void {
    this.#board = filterBoard(withPeers(this.#local, this.#elsewhere), this.filter);
    this.#draw();
  }

  #draw(): void {
    if (this.#stop.signal.aborted) return;
    try {
      const size = consoleSize() ?? this.#size;
      if (size?.columns !== this.#size?.columns || size?.rows !== this.#size?.rows) this.screen.forget();
      this.#size = size;
      const { columns, rows } = size ?? { columns: 80, rows: 24 };
      const { binary, host } = this.context;
      const view = { columns, rows, now: Date.now(), home: host.env("HOME"), binary };
      this.screen.draw(render(this.#board, this.#state, view));
    } catch (error) {
      this.#ended.reject(error);
    }
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    this.#disposables.dispose();
  }
}

function consoleSize(): { readonly columns: number; readonly rows: number } | undefined {
  try {
    const { columns, rows } = Deno.consoleSize();
    // Some terminals report 0 until they are shown.
    return columns > 0 && rows > 0 ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

function write(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.length;) sent += Deno.stdout.writeSync(bytes.subarray(sent));
}
