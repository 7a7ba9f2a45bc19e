import type { StreamResponse } from "@a2a-js/sdk";

/** The events of one task for one stream, in order. It listens from the moment it is made. */
export class TaskFeed implements Disposable {
  readonly #waiting: StreamResponse[] = [];
  readonly #leave: () => void;
  #wake: () => void = () => {};
  #closed = false;

  constructor(join: (listener: (event: StreamResponse) => void) => () => void) {
    this.#leave = join((event) => {
      this.#waiting.push(event);
      this.#wake();
    });
  }

  /** The next event; undefined once the feed is closed. */
  async next(): Promise<StreamResponse | undefined> {
    while (this.#waiting.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return this.#closed ? undefined : this.#waiting.shift();
  }

  /** Ends a `next` that waits: the client is gone. */
  close(): void {
    this.#closed = true;
    this.#leave();
    this.#wake();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
