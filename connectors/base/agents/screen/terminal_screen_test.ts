import { assert, assertEquals, assertThrows } from "@std/assert";
import { span } from "./line.ts";
import { type ScreenTerminal, TerminalScreen } from "./terminal_screen.ts";

/** A terminal that remembers what was written. */
class FakeTerminal implements ScreenTerminal {
  readonly color = false;
  written = "";
  isRaw = false;

  write(text: string): void {
    this.written += text;
  }

  setRaw(on: boolean): void {
    this.isRaw = on;
  }

  /** What was written since the last call. */
  taken(): string {
    const text = this.written;
    this.written = "";
    return text;
  }
}

const LEAVES = "\x1b[?1049l";
const frame = (...texts: string[]) => ({ lines: texts.map((text) => [span(text)]) });

Deno.test("TerminalScreen gives the terminal back, also after an error", () => {
  const terminal = new FakeTerminal();
  assertThrows(
    () => {
      using _screen = new TerminalScreen(terminal);
      assert(terminal.isRaw);
      assert(terminal.taken().includes("\x1b[?1049h"));
      throw new Error("a bug");
    },
    Error,
    "a bug",
  );
  assert(!terminal.isRaw);
  // The cursor, the wrapping of lines and pasting are as before, and then the old screen is.
  const text = terminal.taken();
  for (const code of ["\x1b[?25h", "\x1b[?7h", "\x1b[?2004l", LEAVES]) assert(text.includes(code));
});

Deno.test("TerminalScreen gives the terminal back once, when the program ends in another way", () => {
  for (const event of ["unload", "unhandledrejection", "error"]) {
    const terminal = new FakeTerminal();
    {
      using _screen = new TerminalScreen(terminal);
      terminal.taken();
      globalThis.dispatchEvent(new Event(event));
      assert(terminal.taken().includes(LEAVES), event);
    }
    assertEquals(terminal.taken(), "");
  }
});

Deno.test("TerminalScreen survives a terminal that is gone", () => {
  const terminal = new FakeTerminal();
  {
    using _screen = new TerminalScreen(terminal);
    terminal.write = () => {
      throw new Error("EIO");
    };
  }
});

Deno.test("TerminalScreen draws only the lines that differ, and all of them after forget()", () => {
  const terminal = new FakeTerminal();
  using screen = new TerminalScreen(terminal);
  screen.draw(frame("one", "two"));
  terminal.taken();
  screen.draw(frame("one", "TWO"));
  const changed = terminal.taken();
  assert(changed.includes("\x1b[2;1H\x1b[KTWO") && !changed.includes("one"));
  screen.forget();
  screen.draw(frame("one", "TWO"));
  const all = terminal.taken();
  assert(all.includes("one") && all.includes("TWO"));
});

Deno.test("TerminalScreen draws nothing while it is closed", () => {
  const terminal = new FakeTerminal();
  using screen = new TerminalScreen(terminal);
  screen.close();
  terminal.taken();
  screen.draw(frame("hidden"));
  screen.forget();
  assertEquals(terminal.taken(), "");
  screen.open();
  screen.draw(frame("shown"));
  assert(terminal.taken().includes("shown"));
});
