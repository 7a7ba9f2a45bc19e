import { assertEquals } from "@std/assert";
import { SAMPLE_NOW, sampleBoard } from "../../testing/sample_board.ts";
import { textOf } from "./line.ts";
import { render } from "./render.ts";
import { initialState, type Layout, type ScreenState } from "./state.ts";

/** The screen as text. */
function screen(
  columns: number,
  rows: number,
  change: Partial<ScreenState> = {},
  { layout = "watch" }: { layout?: Layout } = {},
): string {
  const view = { columns, rows, now: SAMPLE_NOW, home: "/home/u", binary: "signet-connect" };
  const { lines } = render(sampleBoard(), { ...initialState(layout), ...change }, view);
  return `\n${lines.map(textOf).join("\n")}\n`;
}

const SELECTED = {
  agents: { id: "claude-code aaaa1111", index: 0 },
  locks: { id: "token-1", index: 0 },
  messages: { id: "m_01ARZ3NDEKTSV4RRFFQ69G5FAW", index: 0 },
};

Deno.test("render(): agents --watch at 40 columns", () => {
  assertEquals(
    screen(40, 13, {}),
    `
4 agents · 1 waiting · 1 working
Agents 4 ───────────────────────────────
> claude-aaaa  working 2 min  1 unread
    Edit src/auth.ts
  codex-3f9a  idle 5 s
    waits for claude-aaaa
  gemini-g000  waiting 40 min
    asks its user: run_shell_command
  opencode-beef  live 5 s
    app


q quit  ? keys  l locks  Enter details
`,
  );
});

Deno.test("render(): agents --watch at 80 columns", () => {
  assertEquals(
    screen(80, 10, {}),
    `
4 agents · 1 waiting · 1 working · 1 unread · 2 locks
Agents 4 ───────────────────────────────────────────────────────────────────────
  HANDLE         STATUS      FOR  DOING                   UNREAD  PROJECT  LOCKS
> claude-aaaa    working   2 min  Edit src/auth.ts             1  app          1
  codex-3f9a     idle        5 s  waits for claude-aaaa           app
  gemini-g000    waiting  40 min  asks its user: run_sh…          docs
  opencode-beef  live        5 s                                  app


q quit  ? keys  l locks  Enter details  m message  g go to  ↑↓ select
`,
  );
});

Deno.test("render(): agents --watch at 200 columns", () => {
  assertEquals(
    screen(200, 10, {}),
    `
4 agents · 1 waiting · 1 working · 1 unread · 2 locks
Agents 4 ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  HANDLE         STATUS      FOR  DOING                             UNREAD  PROJECT  LOCKS  LAST MESSAGE                                                     AGENT   MACHINE
> claude-aaaa    working   2 min  Edit src/auth.ts                       1  app          1  codex-3f9a: Which tests fail on your branch? I see two of them.  work    here
  codex-3f9a     idle        5 s  waits for claude-aaaa                     app             codex-3f9a: Which tests fail on your branch? I see two of them.  work    here
  gemini-g000    waiting  40 min  asks its user: run_shell_command          docs            a person: main is frozen until six                               work    here
  opencode-beef  live        5 s                                            app                                                                              server  elsewhere


q quit  ? keys  l locks  Enter details  m message  g go to  ↑↓ select
`,
  );
});

Deno.test("render(): monitor at 40 columns", () => {
  assertEquals(
    screen(40, 26, {}, { layout: "monitor" }),
    `
4 agents · 1 waiting · 1 working
Agents 4 ───────────────────────────────
> claude-aaaa  working 2 min  1 unread
    Edit src/auth.ts
  codex-3f9a  idle 5 s
    waits for claude-aaaa
  gemini-g000  waiting 40 min
    asks its user: run_shell_command
  opencode-beef  live 5 s
    app
Locks 2 ────────────────────────────────
  ~/app/src/auth.ts
    claude-aaaa  3 min, ends in 7 min
  app: src/db/**
    codex-3f9a (agent server)  3 min, e…
Messages 2 ─────────────────────────────
  a person to gemini-g000  seen 1 min
    main is frozen until six
  codex-3f9a to claude-aaaa  waiting 2 …
    Which tests fail on your branch? I …





q quit  ? keys  Tab next list
`,
  );
});

Deno.test("render(): monitor at 80 columns", () => {
  assertEquals(
    screen(80, 20, { focus: "locks", selected: SELECTED }, { layout: "monitor" }),
    `
4 agents · 1 waiting · 1 working · 1 unread · 2 locks
Agents 4 ───────────────────────────────────────────────────────────────────────
  HANDLE         STATUS      FOR  DOING                   UNREAD  PROJECT  LOCKS
  claude-aaaa    working   2 min  Edit src/auth.ts             1  app          1
  codex-3f9a     idle        5 s  waits for claude-aaaa           app
  gemini-g000    waiting  40 min  asks its user: run_sh…          docs
  opencode-beef  live        5 s                                  app
Locks 2 ────────────────────────────────────────────────────────────────────────
  LOCKED             HOLDER               FOR  ENDS IN  INTENT      LEVEL
> ~/app/src/auth.ts  claude-aaaa        3 min    7 min  rename th…  this machine
  app: src/db/**     codex-3f9a (agen…  3 min    7 min              shared, ann…
Messages 2 ─────────────────────────────────────────────────────────────────────
    AGE  FROM        TO           STATE    MESSAGE
  1 min  a person    gemini-g000  seen     main is frozen until six
  2 min  codex-3f9a  claude-aaaa  waiting  Which tests fail on your branch? I s…




q quit  ? keys  Tab next list  Enter details  u unlock  m message  g go to
`,
  );
});

Deno.test("render(): monitor at 200 columns", () => {
  assertEquals(
    screen(200, 20, {}, { layout: "monitor" }),
    `
4 agents · 1 waiting · 1 working · 1 unread · 2 locks
Agents 4 ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  HANDLE         STATUS      FOR  DOING                             UNREAD  PROJECT  LOCKS  LAST MESSAGE                                                     AGENT   MACHINE
> claude-aaaa    working   2 min  Edit src/auth.ts                       1  app          1  codex-3f9a: Which tests fail on your branch? I see two of them.  work    here
  codex-3f9a     idle        5 s  waits for claude-aaaa                     app             codex-3f9a: Which tests fail on your branch? I see two of them.  work    here
  gemini-g000    waiting  40 min  asks its user: run_shell_command          docs            a person: main is frozen until six                               work    here
  opencode-beef  live        5 s                                            app                                                                              server  elsewhere
Locks 2 ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
  LOCKED             HOLDER                       FOR  ENDS IN  INTENT             LEVEL
  ~/app/src/auth.ts  claude-aaaa                3 min    7 min  rename the fields  this machine
  app: src/db/**     codex-3f9a (agent server)  3 min    7 min                     shared, announced
Messages 2 ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    AGE  FROM        TO           STATE    MESSAGE
  1 min  a person    gemini-g000  seen     main is frozen until six
  2 min  codex-3f9a  claude-aaaa  waiting  Which tests fail on your branch? I see two of them.




q quit  ? keys  Tab next list  Enter details  m message  g go to  ↑↓ select
`,
  );
});

Deno.test("render(): monitor on a low terminal, one list at a time", () => {
  assertEquals(
    screen(80, 12, { focus: "messages" }, { layout: "monitor" }),
    `
4 agents · 1 waiting · 1 working · 1 unread · 2 locks
Messages 2 ─────────────────────────────────────────────────────────────────────
    AGE  FROM        TO           STATE    MESSAGE
> 1 min  a person    gemini-g000  seen     main is frozen until six
  2 min  codex-3f9a  claude-aaaa  waiting  Which tests fail on your branch? I s…






q quit  ? keys  Tab next list  Enter details  m message  g go to  ↑↓ select
`,
  );
});

Deno.test("render(): the details of an agent", () => {
  assertEquals(
    screen(80, 26, { view: "details", selected: SELECTED }),
    `
4 agents · 1 waiting · 1 working · 1 unread · 2 locks
claude-aaaa
  status      working for 2 min
  doing       Edit src/auth.ts
  harness     claude-code
  agent       work
  project     ~/app
  machine     laptop (here)
  session     aaaa1111
  started     3 h ago
  last seen   5 s ago
  terminal    tmux %3
  unread      1
  when idle   woken by a message

Locks
  ~/app/src/auth.ts
    rename the fields

Messages, newest first
  codex-3f9a to claude-aaaa, 2 min ago, waiting
    Which tests fail on your branch? I see two of them.



Esc back  ↑↓ scroll  m message  g go to  q quit
`,
  );
});

Deno.test("render(): the details of a lock", () => {
  assertEquals(
    screen(40, 14, { view: "details", focus: "locks", selected: SELECTED }),
    `
4 agents · 1 waiting · 1 working
~/app/src/auth.ts
  holder      claude-aaaa
  agent       work
  machine     laptop
  intent      rename the fields
  taken       3 min ago
  ends        in 7 min, unless it is
              renewed
  level       this machine



Esc back  ↑↓ scroll  u unlock  m message
`,
  );
});

Deno.test("render(): the details of a message", () => {
  assertEquals(
    screen(40, 14, { view: "details", focus: "messages", selected: SELECTED }),
    `
4 agents · 1 waiting · 1 working
a person to gemini-g000
  id          m_01ARZ3NDEKTSV4RRFFQ69G5F
              AW
  agent       default
  sent        1 min ago
  state       seen
  priority    3

main is frozen until six



Esc back  ↑↓ scroll  m message  g go to
`,
  );
});

Deno.test("render(): the keys", () => {
  assertEquals(
    screen(40, 18, { view: "keys" }),
    `
4 agents · 1 waiting · 1 working
Keys
  ↑ ↓  k j   select a row, or scroll
  PgUp PgDn  ten rows at once
  Home End   the first or last row
  Enter      show details
  Esc        go back
  m          write a message to the age…
  g          go to the agent's terminal
  l          locks, or back to agents
  t          messages, or back to agents
  u          free the selected lock (ne…
  Tab        agents, locks, messages
  Ctrl-L     draw the screen again
  q          quit


Esc back  q quit
`,
  );
});
