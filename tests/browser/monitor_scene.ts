import type { SessionId } from "../../hooks/agents/sessions/session.ts";
import type { MonitorWorld } from "../worlds/agents/monitor_world.ts";

const MINUTE = 60_000;
/** Harness, key, project, and what it does now. */
const AGENTS = [
  [
    "claude-code",
    "3f9a51c2-77",
    "/home/n/larkspur",
    "working",
    "Edit",
    "/home/n/larkspur/src/billing/invoice.ts",
  ],
  [
    "codex",
    "b81e02d4-19",
    "/home/n/larkspur",
    "working",
    "apply_patch",
    "/home/n/larkspur/src/db/migrate.ts",
  ],
  ["opencode", "77c0aa19-5f", "/home/n/larkspur", "idle"],
  ["gemini", "e02b4d6f-81", "/home/n/larkspur", "waiting", "run_shell_command"],
  ["claude-code", "91d4fe30-c2", "/home/n/heron", "working", "Bash"],
  ["codex", "5a6c77e1-0b", "/home/n/heron", "idle"],
  ["pi", "c3f8e915-44", "/home/n/heron", "working", "edit", "/home/n/heron/retry_test.go"],
  ["openclaw", "0d7b3a62-9e", "/home/n/notes", "idle"],
  ["claude-code", "f4a9c8d1-6a", "/home/n/wren", "waiting", "Write", "/home/n/wren/deploy.yaml"],
  ["qwen", "2be61f07-d3", "/home/n/wren", "working", "read_file", "/home/n/wren/README.md"],
  ["kilo", "8c15d9b4-70", "/home/n/wren", "idle"],
  ["omp", "a7e3029c-1d", "/home/n/notes", "working"],
] as const;
const TEXTS = [
  "The migration for invoices is ready. Please run the billing tests against it.",
  "Which database does Larkspur use in staging?",
  "Postgres 16, since March. The URL is in .env.staging.",
  "I hold src/db/migrate.ts until the test is green; ask before you edit it.",
  "Two retry tests are flaky on CI. I fix the timer, you look at the queue?",
  "Done: 14 tests pass, 1 skipped (needs the daemon).",
  "Please review the diff of invoice.ts, mainly the rounding.",
  "Rounding is wrong for negative amounts: see line 88.",
  "The deploy file needs the new secret name.",
  "Thanks. I merge in five minutes.",
];

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** An hour of twelve agents with forty messages and five locks. */
export async function play(world: MonitorWorld, now = Date.now()): Promise<SessionId[]> {
  const random = numbers(7);
  const agents = AGENTS.map(([harness, key, project, status, tool, file], index) => {
    const start = now - (58 - index * 0.3) * MINUTE;
    const id = world.begin(harness, key, { project, at: start });
    let at = start + MINUTE;
    while (at < now - 4 * MINUTE) {
      world.does(id, "working", { at });
      at += (2 + random() * 7) * MINUTE;
      if (random() < 0.3) {
        world.does(id, "waiting", { at });
        at += (0.5 + random() * 2) * MINUTE;
        world.does(id, "working", { at });
        at += (1 + random() * 2) * MINUTE;
      }
      world.does(id, "idle", { at: Math.min(at, now - 4 * MINUTE) });
      at += (1 + random() * 6) * MINUTE;
    }
    world.does(id, status, { tool, file, at: now - (0.5 + random() * 3) * MINUTE });
    return id;
  });
  const ended = world.begin("codex", "deadbeef-01", { project: "/home/n/heron", at: now - 52 * MINUTE });
  world.does(ended, "working", { at: now - 51 * MINUTE });
  world.ends(ended, now - 30 * MINUTE);
  for (let index = 0; index < 40; index++) {
    const from = agents[Math.floor(random() * agents.length)];
    const near = agents[Math.floor(random() * agents.length)];
    if (from === undefined || near === undefined) continue;
    const to = near === from ? agents[(agents.indexOf(from) + 1) % agents.length] ?? near : near;
    const at = now - (54 - index * 1.3) * MINUTE;
    const waits = index > 36;
    world.writes({
      from: index % 11 === 4 ? undefined : from,
      to,
      text: TEXTS[index % TEXTS.length] ?? "",
      at,
      seenAt: waits ? undefined : at + random() * 2 * MINUTE,
      more: {
        kind: index % 3 === 2 ? "reply" : "message",
        priority: index % 13 === 6 ? 4 : 3,
        wants: index % 3 === 0 ? "reply" : "none",
      },
    });
  }
  const [claude, codex, opencode, , heron, , pi] = agents;
  if (!claude || !codex || !opencode || !heron || !pi) throw new Error("There are fewer agents than names.");
  await world.locks(opencode, "/home/n/larkspur/src/db/migrate.ts", "", now - 40 * MINUTE);
  await world.unlocks(opencode, "/home/n/larkspur/src/db/migrate.ts", now - 29 * MINUTE);
  await world.locks(
    codex,
    "/home/n/larkspur/src/db/migrate.ts",
    "rename the invoice columns",
    now - 4 * MINUTE,
  );
  await world.locks(
    claude,
    "/home/n/larkspur/src/billing/invoice.ts",
    "rounding of negative amounts",
    now - 6 * MINUTE,
  );
  await world.locks(claude, "/home/n/larkspur/src/billing/tax.ts", "", now - 5 * MINUTE);
  await world.locks(pi, "/home/n/heron/retry_test.go", "flaky timer", now - 3 * MINUTE);
  await world.locks(heron, "/home/n/heron/queue.go", "", now - 2 * MINUTE);
  return agents;
}

/** Many sessions, each with messages. */
export function crowd(
  world: MonitorWorld,
  sessions: number,
  messages: number,
  now = Date.now(),
): SessionId[] {
  const random = numbers(11);
  const agents = Array.from({ length: sessions }, (_, index) => {
    const [harness, , project] = AGENTS[index % AGENTS.length] ?? AGENTS[0];
    const id = world.begin(harness, `${(0x1000_0000 + index * 7_919_777).toString(16)}-${index}`, {
      project,
      at: now - 59 * MINUTE + index * 1000,
    });
    for (let turn = 0; turn < 20; turn++) {
      const at = now - (58 - turn * 2.8) * MINUTE + random() * MINUTE;
      world.does(id, (["working", "idle", "working", "waiting"] as const)[turn % 4] ?? "idle", { at });
    }
    return id;
  });
  for (let index = 0; index < messages; index++) {
    const from = agents[Math.floor(random() * agents.length)];
    const to = agents[Math.floor(random() * agents.length)];
    if (from === undefined || to === undefined || from === to) continue;
    const at = now - 57 * MINUTE + (index / messages) * 56 * MINUTE;
    world.writes({
      from,
      to,
      text: `${TEXTS[index % TEXTS.length]} (${index})`,
      at,
      seenAt: at + random() * MINUTE,
    });
  }
  return agents;
}
