import { widthOf } from "./cells.ts";
import { type Line, type Span, span } from "./line.ts";
import type { ScreenState } from "./state.ts";

type Hint = readonly [key: string, does: string];

/** The keys that matter now, as many as there is room for. */
export function keyHints(state: ScreenState, columns: number): Line {
  const spans: Span[] = [];
  let room = columns;
  for (const [key, does] of hintsFor(state)) {
    const gap = spans.length === 0 ? "" : "  ";
    room -= gap.length + widthOf(key) + 1 + widthOf(does);
    if (room < 0) break;
    spans.push(span(gap), span(key, "bold"), span(` ${does}`, "dim"));
  }
  return spans;
}

function hintsFor({ prompt, view, focus, layout }: ScreenState): Hint[] {
  if (prompt?.kind === "message") return [["Enter", "send"], ["Esc", "cancel"]];
  if (prompt?.kind === "release") return [["y", "free it"], ["n", "keep it"]];
  if (view === "keys") return [["Esc", "back"], ["q", "quit"]];
  const actions: Hint[] = [["m", "message"], ["g", "go to"]];
  if (focus === "locks") actions.unshift(["u", "unlock"]);
  if (view === "details") return [["Esc", "back"], ["↑↓", "scroll"], ...actions, ["q", "quit"]];
  const lists: Hint[] = layout === "monitor"
    ? [["Tab", "next list"]]
    : [["l", focus === "locks" ? "agents" : "locks"]];
  return [["q", "quit"], ["?", "keys"], ...lists, ["Enter", "details"], ...actions, ["↑↓", "select"]];
}

/** Every key. */
export function keyLines({ layout }: ScreenState, columns: number): Line[] {
  const keys: Hint[] = [
    ["↑ ↓  k j", "select a row, or scroll"],
    ["PgUp PgDn", "ten rows at once"],
    ["Home End", "the first or last row"],
    ["Enter", "show details"],
    ["Esc", "go back"],
    ["m", "write a message to the agent"],
    ["g", "go to the agent's terminal"],
    ["l", "locks, or back to agents"],
    ["t", "messages, or back to agents"],
    ["u", "free the selected lock (needs --mode admin)"],
    ["Tab", layout === "monitor" ? "the next list" : "agents, locks, messages"],
    ["Ctrl-L", "draw the screen again"],
    ["q", "quit"],
  ];
  const width = Math.max(...keys.map(([key]) => widthOf(key))) + 2;
  const isNarrow = columns < 40;
  return [
    [span("Keys", "bold")],
    ...keys.map(([key, does]): Line => [
      span(`  ${key.padEnd(isNarrow ? 1 : width)}`, "bold"),
      span(isNarrow ? ` ${does}` : does),
    ]),
  ];
}
