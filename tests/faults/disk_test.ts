import { assertEquals } from "@std/assert";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { canReadUnprivileged, UNPRIVILEGED } from "../../connectors/base/testing/unprivileged.ts";
import { type HookOptions, SampleHome } from "../worlds/hooks/sample_home.ts";
import { entry } from "../worlds/hooks/sample_entry.ts";
import { canMount, mountSmallDisk, unmount } from "../worlds/small_disk.ts";
import { copyProgram } from "../../connectors/base/testing/write_program.ts";

const EVENTS = ["session-start", "user-prompt-submit", "session-end"];

/** One short session; returns what session-start printed. */
async function session(home: SampleHome, key: string, options: HookOptions = {}): Promise<string> {
  let printed = "";
  for (const event of EVENTS) {
    const stdin = {
      session_id: key,
      cwd: "/home/u/proj",
      prompt: "hi",
      transcript: "User: hi\n".repeat(12_000),
    };
    const ended = await home.hook(event, { ...options, stdin });
    assertEquals([ended.code, ended.stderr], [0, ""], `${event} ${key}`);
    if (event === "session-start") printed = ended.stdout;
  }
  return printed;
}

function effects(daemon: FaultyDaemon): [string, number][] {
  return [...daemon.ended].map(([key, { asked }]) => [key, asked]);
}

Deno.test({
  name: "a full disk: session-end is sent at once instead of spooled (needs root, to mount a tmpfs)",
  ignore: !canMount(),
  fn: sendsWhereNothingCanBeKept,
});

async function sendsWhereNothingCanBeKept(): Promise<void> {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
  const mount = await Deno.makeTempDir();
  try {
    assertEquals(mountSmallDisk(mount, "size=48k"), true);
    await using home = await SampleHome.make(daemon.url, {}, mount);
    assertEquals(await session(home, "nearly"), "hello", "a transcript does not fit any more");
    await Deno.writeFile(`${mount}/filler`, new Uint8Array(48 * 1024)).catch(() => {});
    assertEquals(await session(home, "full"), "hello");
    assertEquals(effects(daemon), [["nearly", 1], ["full", 1]]);
    const left = [...Deno.readDirSync(`${home.state}/spool`)].map(({ name }) => name);
    assertEquals(left, [], "no half file stays");
  } finally {
    unmount(mount);
    await Deno.remove(mount);
  }
}

const SAMPLE_HOOK = new URL("../worlds/hooks/sample_hook.ts", import.meta.url).pathname;

Deno.test({
  name: "a state directory that cannot be written: hooks work, session-end is sent at once " +
    "(needs a checkout that anyone can read)",
  ignore: !canReadUnprivileged(Deno.env.get("SIGNET_TEST_HOOK") ?? SAMPLE_HOOK),
  fn: worksWithReadOnlyState,
});

async function worksWithReadOnlyState(): Promise<void> {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
  await using home = await SampleHome.make(daemon.url);
  await Deno.mkdir(home.state, { recursive: true });
  if (UNPRIVILEGED.length > 0) {
    // With a copy of Deno that `nobody` can reach.
    const deno = `${home.path}/deno`;
    await copyProgram(Deno.execPath(), deno);
    await new Deno.Command("chmod", { args: ["-R", "a+rX,a-w", home.path] }).output();
    const program = Deno.env.get("SIGNET_TEST_HOOK") ? [] : ["env", `DENO_DIR=${home.path}/none`];
    const options = { before: [...UNPRIVILEGED, ...program], env: { SAMPLE_PIDS: undefined }, program: deno };
    assertEquals(await session(home, "nobody", options), "hello");
  } else {
    await Deno.chmod(home.state, 0o500);
    assertEquals(await session(home, "nobody"), "hello");
    await Deno.chmod(home.state, 0o700);
  }
  assertEquals(effects(daemon), [["nobody", 1]]);
}

Deno.test("no HOME, no temporary directory: hooks work", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
  await using home = await SampleHome.make(daemon.url);
  const bare = { HOME: undefined, SAMPLE_PIDS: undefined };
  assertEquals(await session(home, "homeless", { env: bare }), "hello");
  assertEquals(await session(home, "no-tmp", { env: { TMPDIR: "/nonexistent/tmp" } }), "hello");
  await home.delivered();
  assertEquals(effects(daemon), [["homeless", 1], ["no-tmp", 1]]);
});

Deno.test("corrupt spool entries are set aside and do not block the others", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const { spool } = home;
  await Deno.mkdir(spool.dir, { recursive: true });
  const name = (i: number) => `${spool.dir}/00000000000000${i}-0000000${i}-session-end-10.json`;
  await Deno.writeTextFile(name(1), "");
  await Deno.writeTextFile(name(2), '{"id":"x","kind":"session-end"');
  await Deno.writeFile(name(3), crypto.getRandomValues(new Uint8Array(5000)));
  await Deno.writeTextFile(name(4), '{"id":"x","kind":"rm -rf","path":"/api/x","url":"u","body":{}}');
  await session(home, "good");
  await home.delivered();
  await home.quiet();
  assertEquals(effects(daemon), [["good", 1]]);
  assertEquals(spool.rejectedCount(), 4);
});

Deno.test("a clock that was set back stops nothing and keeps the order", async () => {
  await using daemon = new FaultyDaemon();
  daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
  await using home = await SampleHome.make(daemon.url);
  const future = Date.now() + 400 * 24 * 3600 * 1000;
  // What hooks wrote while the clock was a year ahead.
  await Deno.mkdir(home.spool.dir, { recursive: true });
  await Deno.writeTextFile(`${home.state}/breaker.json`, JSON.stringify({ url: daemon.url, until: future }));
  await Deno.writeTextFile(
    `${home.state}/drain.json`,
    JSON.stringify({ kind: "away", failures: 9, until: future }),
  );
  await Deno.writeTextFile(`${home.state}/drain.wanted`, "");
  await Deno.utime(`${home.state}/drain.wanted`, new Date(future), new Date(future));
  const text = JSON.stringify(entry("before", { url: daemon.url }));
  await Deno.writeTextFile(
    `${home.spool.dir}/${String(future).padStart(15, "0")}-00000000-session-end-9.json`,
    text,
  );
  assertEquals(await session(home, "after"), "hello");
  await home.delivered();
  assertEquals(effects(daemon), [["before", 1], ["after", 1]]);
});
