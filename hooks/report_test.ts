import { assertEquals } from "@std/assert";
import { FaultyDaemon } from "../tests/worlds/daemon/faulty_daemon.ts";
import { entry } from "../tests/worlds/hooks/sample_entry.ts";
import { Breaker } from "./daemon/breaker.ts";
import { drain } from "./spool/drain.ts";
import { appendLog } from "./log.ts";
import { stateDir, type Surroundings } from "./state/paths.ts";
import { eventReports, hookReport } from "./report.ts";
import { loadSettings } from "./daemon/settings.ts";
import { Spool, SPOOL_CAPS } from "./spool/spool.ts";

Deno.test("hookReport() shows when each hook fired, its outcome, and what is spooled", async () => {
  const home = await Deno.makeTempDir();
  const daemon = new FaultyDaemon();
  try {
    const env: Record<string, string> = { HOME: home, SIGNET_DAEMON_URL: daemon.url };
    const host: Surroundings = { env: (name) => env[name], os: "linux" };
    const settings = loadSettings("sample", host);
    const dir = stateDir("sample", host) ?? "";
    daemon.stop();
    for (const ms of [10, 30, 20]) {
      appendLog(dir, { at: `2026-11-16T00:00:${ms}Z`, event: "session-start", outcome: "ok", ms });
    }
    new Spool(dir).add(entry("a", { url: daemon.url }));
    await drain(settings, { host });
    new Breaker(dir, daemon.url).timedOut();
    await Deno.writeTextFile(`${dir}/hook.log`, "not a record\n", { append: true });

    const report = hookReport(settings, host);
    const [start, prompt] = report?.events ?? [];
    assertEquals(start, {
      event: "session-start",
      lastFired: "2026-11-16T00:00:20Z",
      lastOutcome: "ok",
      lastDetail: undefined,
      medianMs: 20,
      count: 3,
    });
    assertEquals([prompt?.event, prompt?.count, prompt?.lastFired], ["user-prompt-submit", 0, undefined]);
    const spool = report?.spool;
    assertEquals([spool?.depth, spool?.rejected, spool?.caps.count], [1, 0, SPOOL_CAPS.count]);
    assertEquals(spool?.waitingFor?.includes("is not reachable"), true);
    assertEquals((spool?.retryInMs ?? 0) > 0 && (spool?.oldestMs ?? -1) >= 0, true);
    assertEquals(report?.breaker.open, true);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("hookReport() of a new machine is empty, and without a home there is none", async () => {
  const home = await Deno.makeTempDir();
  const env: Record<string, string> = { HOME: home };
  const host: Surroundings = { env: (name) => env[name], os: "linux" };
  const report = hookReport(loadSettings("sample", host), host);
  assertEquals([report?.spool.depth, report?.breaker.open], [0, false]);
  assertEquals(report?.events.every(({ count }) => count === 0), true);
  delete env.HOME;
  assertEquals(hookReport(loadSettings("sample", host), host), undefined);
  await Deno.remove(home, { recursive: true });
});

Deno.test("eventReports() counts only recent latencies", () => {
  const slow = Array.from({ length: 100 }, () => ({ at: "a", event: "checkpoint", outcome: "ok", ms: 900 }));
  const quick = Array.from({ length: 50 }, () => ({ at: "b", event: "checkpoint", outcome: "ok", ms: 9 }));
  const row = eventReports([...slow, ...quick]).find(({ event }) => event === "checkpoint");
  assertEquals([row?.medianMs, row?.count], [9, 150]);
});

Deno.test("eventReports() leaves out the hooks that doctor ran", () => {
  const line = { at: "a", event: "session-start", outcome: "ok", ms: 9 };
  const rows = eventReports([{ ...line, session: "test-doctor-" }, { ...line, session: "test-mine" }]);
  assertEquals(rows.find(({ event }) => event === "session-start")?.count, 1);
});
