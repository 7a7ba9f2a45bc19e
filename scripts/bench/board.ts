import { BoardReader } from "../../connectors/base/agents/board/board.ts";
import { openMesh } from "../../connectors/base/agents/mesh.ts";
import { render } from "../../connectors/base/agents/screen/render.ts";
import { initialState } from "../../connectors/base/agents/screen/state.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import type { SessionId } from "../../hooks/agents/sessions/session.ts";
import { stats, type Target } from "./stats.ts";

const SESSIONS = 50;
const MESSAGES = 10_000;
const ROUNDS = 40;
/** The first rounds compile the code. */
const WARM_UP = 10;
/** A board is read at most ten times a second, and a frame is drawn at each key. */
const READ_MS = 100;
const FRAME_MS = 16;

/** How long the monitor takes to read what has changed and to draw a frame, with many agents and messages. */
export function boardTargets(): Target[] {
  const home = Deno.makeTempDirSync({ prefix: "signet-bench-board-" });
  try {
    const mesh = openMesh({ env: (name) => name === "HOME" ? home : undefined, os: Deno.build.os }, true);
    const ids = Array.from({ length: SESSIONS }, (_, i): SessionId => {
      const id = { harness: i % 2 === 0 ? "codex" : "claude-code", key: crypto.randomUUID() };
      mesh.sessions.begin({
        ...id,
        agentId: "work",
        url: "",
        project: "/home/u/app",
        machine: "m",
        wake: "none",
      });
      return id;
    });
    const put = (i: number) => {
      const to = ids[i % ids.length];
      if (to !== undefined) mesh.inbox.put(to, sampleMessage({ text: `message ${i} ${"word ".repeat(40)}` }));
    };
    for (let i = 0; i < MESSAGES; i++) put(i);
    // As if the messages had waited for a while.
    for (const id of ids) Deno.utimeSync(`${mesh.inbox.dirOf(id)}/new`, 1000, 1000);
    const reader = new BoardReader(mesh);
    let board = reader.read();
    const reads = Array.from({ length: ROUNDS }, (_, i) => {
      put(i);
      return timed(() => board = reader.read());
    });
    const view = { columns: 200, rows: 60, now: Date.now(), binary: "signet-connect" };
    const frames = Array.from(
      { length: ROUNDS },
      () => timed(() => render(board, initialState("monitor"), view)),
    );
    const many = `${SESSIONS} agents, ${MESSAGES.toLocaleString("en")} messages`;
    return [
      {
        name: `board read again, ${many} / ${READ_MS} ms`,
        ratio: stats(reads.slice(WARM_UP)).median / READ_MS,
        limit: 1,
      },
      {
        name: `screen drawn, ${many} / ${FRAME_MS} ms`,
        ratio: stats(frames.slice(WARM_UP)).median / FRAME_MS,
        limit: 1,
      },
    ];
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}

function timed(run: () => unknown): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}
