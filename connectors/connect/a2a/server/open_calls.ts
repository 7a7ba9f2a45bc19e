/** Counts calls that stay open, and refuses more than there may be. */
export class OpenCalls {
  #open = 0;

  constructor(readonly most: number) {}

  get open(): number {
    return this.#open;
  }

  /** Call the result when the call is over; undefined if there are too many. */
  enter(): (() => void) | undefined {
    if (this.#open >= this.most) return undefined;
    this.#open++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#open--;
    };
  }
}
