import { assertEquals, assertMatch } from "@std/assert";
import { appendLog, formatLine, logPath } from "./log.ts";

Deno.test("formatLine() is one readable line without keys", () => {
  const line = formatLine({
    at: "2026-11-16T03:00:00.000Z",
    event: "session-start",
    outcome: "refused",
    ms: 12,
    status: 401,
    detail: "invalid api key sig_sk_0123456789ab_secret\nsecond line",
  });
  assertEquals(
    line,
    '{"at":"2026-11-16T03:00:00.000Z","event":"session-start","outcome":"refused","ms":12,"status":401,' +
      '"detail":"invalid api key sig_sk_…\\nsecond line"}\n',
  );
});

Deno.test("appendLog() creates its directory, uses mode 0600, rotates once, and stays small", async () => {
  const root = await Deno.makeTempDir();
  const dir = `${root}/state/sample`;
  try {
    const detail = "x".repeat(300);
    for (let i = 0; i < 2000; i++) appendLog(dir, { at: "t", event: "e", outcome: "o", ms: i, detail });
    const now = Deno.statSync(logPath(dir));
    const old = Deno.statSync(`${logPath(dir)}.1`);
    assertEquals((now.mode ?? 0) & 0o777, 0o600);
    assertEquals([now.size < 300_000, old.size < 300_000], [true, true]);
    assertMatch(Deno.readTextFileSync(logPath(dir)), /"ms":1999/);
    assertEquals([...Deno.readDirSync(dir)].length, 2);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("appendLog() shrugs at a place that cannot be written", () => {
  appendLog("/proc/nowhere", { at: "t", event: "e", outcome: "o", ms: 1 });
  appendLog(undefined, { at: "t", event: "e", outcome: "o", ms: 1 });
});
