import { assertEquals } from "@std/assert";
import { sessionDir } from "./find_transcript.ts";

async function withIndex(text: string, look: (path: string) => void): Promise<void> {
  const dir = await Deno.makeTempDir();
  await Deno.writeTextFile(`${dir}/session_index.jsonl`, text);
  look(`${dir}/session_index.jsonl`);
  await Deno.remove(dir, { recursive: true });
}

const line = (sessionId: string, sessionDir: unknown) =>
  `${JSON.stringify({ sessionId, sessionDir, workDir: "/home/u/proj" })}\n`;

Deno.test("sessionDir() finds a session in Kimi Code's index, the newest line first", async () => {
  await withIndex(line("session_a", "/old") + line("session_b", "/b") + line("session_a", "/new"), (path) => {
    assertEquals([sessionDir(path, "session_a"), sessionDir(path, "session_b")], ["/new", "/b"]);
    assertEquals(sessionDir(path, "session_"), undefined, "a part of an id is another id");
  });
});

Deno.test("sessionDir() of a damaged, foreign or missing index is undefined", async () => {
  for (const text of ["", "{", "session_a\n", '["session_a"]\n', line("session_a", 7)]) {
    await withIndex(text, (path) => assertEquals(sessionDir(path, "session_a"), undefined, text));
  }
  assertEquals(sessionDir("/nonexistent/session_index.jsonl", "session_a"), undefined);
  assertEquals(sessionDir("/dev/zero", "session_a"), undefined);
});

Deno.test("sessionDir() reads the end of a huge index", async () => {
  await withIndex(line("session_x", "/x").repeat(30_000) + line("session_a", "/a"), (path) => {
    assertEquals(sessionDir(path, "session_a"), "/a");
  });
});
