import { assert, assertEquals } from "@std/assert";
import { sampleMessage } from "../../testing/sample_message.ts";
import { type Mesh, openMesh } from "../mesh.ts";
import type { Board } from "./board.ts";
import { watchBoard, type WatchOptions } from "./watch_board.ts";

interface Watched {
  readonly mesh: Mesh;
  /** The next board for which `matches` holds. */
  until(matches: (board: Board) => boolean): Promise<Board>;
}

/** Watches the mesh of a new home while `body` runs. */
async function watched(options: WatchOptions, body: (watched: Watched) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "signet-watch-" });
  const host = { env: (name: string) => name === "HOME" ? home : undefined, os: Deno.build.os };
  const stop = new AbortController();
  const boards = watchBoard(openMesh(host), stop.signal, options);
  try {
    await body({
      mesh: openMesh(host),
      async until(matches) {
        for (;;) {
          const { done, value } = await boards.next();
          if (done) throw new Error("It stopped watching.");
          if (matches(value)) return value;
        }
      },
    });
    stop.abort();
    assert((await boards.next()).done);
  } finally {
    stop.abort();
    await boards.return(undefined);
    await Deno.remove(home, { recursive: true });
  }
}

const SESSION = {
  key: "bbbb2222",
  harness: "codex",
  agentId: "me",
  url: "",
  project: "/home/u/app",
  machine: "m1",
  wake: "none",
} as const;

const refuses: typeof Deno.watchFs = () => {
  throw new Error("No watch is left.");
};

const WAYS: readonly [name: string, options: WatchOptions][] = [
  ["with notices of the file system", { settleMs: 1, pollMs: 300 }],
  ["without notices", { settleMs: 1, pollMs: 20, watchFs: refuses }],
];

for (const [name, options] of WAYS) {
  Deno.test(`watchBoard() yields the board at first and at each change, ${name}`, async () => {
    await watched(options, async ({ mesh, until }) => {
      assertEquals((await until(() => true)).sessions, []);
      // The directory comes after the watch.
      const { dir } = mesh;
      Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
      mesh.sessions.begin(SESSION);
      await until(({ sessions }) => sessions[0]?.status === "starting");
      mesh.sessions.update(SESSION, { status: "working", tool: "Bash" });
      await until(({ sessions }) => sessions[0]?.tool === "Bash");
      mesh.inbox.put(SESSION, sampleMessage({ text: "hello" }));
      const board = await until(({ sessions, messages }) =>
        sessions[0]?.unread === 1 && messages.at(-1)?.text === "hello"
      );
      assertEquals(board.sessions[0]?.handle, "codex-bbbb");
      mesh.sessions.end(SESSION);
      await until(({ sessions }) => sessions.length === 0);
    });
  });
}

Deno.test("watchBoard() does not wait for the next look when a file changes", async () => {
  // If it did, this test would hang.
  await watched({ settleMs: 1, pollMs: 2 ** 31 - 1 }, async ({ mesh, until }) => {
    Deno.mkdirSync(mesh.dir, { recursive: true, mode: 0o700 });
    await until(() => true);
    mesh.sessions.begin(SESSION);
    await until(({ sessions }) => sessions.length === 1);
  });
});
