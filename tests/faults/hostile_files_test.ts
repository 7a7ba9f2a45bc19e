import { assertEquals } from "@std/assert";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";
import { isOnPath } from "../../connectors/base/testing/on_path.ts";
import { exists } from "../worlds/exists.ts";
import { SampleHome } from "../worlds/hooks/sample_home.ts";
import { until } from "../../connectors/base/testing/until.ts";

type Odd = "FIFO" | "device" | "directory";

async function place(kind: Odd, path: string): Promise<void> {
  await Deno.mkdir(path.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.remove(path, { recursive: true }).catch(() => {});
  if (kind === "directory") await Deno.mkdir(path);
  else if (kind === "device") await Deno.symlink("/dev/zero", path);
  else assertEquals((await new Deno.Command("mkfifo", { args: [path] }).output()).success, true);
}

/** One session in `cwd`: each hook ends by itself with its text. */
async function session(home: SampleHome, cwd: string, what: string): Promise<void> {
  const stdin = { session_id: "s", cwd, prompt: "hi", transcript: "User: hi" };
  const ends: [string, string][] = [["session-start", "hello"], ["user-prompt-submit", "hello"], [
    "session-end",
    "",
  ]];
  for (const [event, printed] of ends) {
    const ended = await home.hook(event, { stdin });
    assertEquals([ended.code, ended.stdout, ended.stderr], [0, printed, ""], `${event} with ${what}`);
  }
}

const ignore = Deno.build.os === "windows" || !isOnPath("mkfifo");

Deno.test({
  name: "a repository of FIFOs, devices and directories hangs no hook and loses no session end",
  ignore,
  async fn() {
    for (const kind of ["FIFO", "device", "directory"] as const) {
      await using daemon = new FaultyDaemon();
      daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
      await using home = await SampleHome.make(daemon.url);
      const cwd = `${home.path}/proj`;
      await place(kind, `${cwd}/.git/config`);
      await place(kind, `${cwd}/.git/commondir`);
      await session(home, cwd, `a ${kind} at .git/config`);
      await home.delivered();
      assertEquals([...daemon.ended.keys()], ["s"], kind);
    }
  },
});

/** Our own files, as an accident or another program may leave them. */
const STATE_FILES = ["breaker.json", "drain.json", "hook.log", "identity.json"];

Deno.test({
  name: "state files that are FIFOs, devices or directories hang no hook and lose no session end",
  ignore,
  async fn() {
    for (const kind of ["FIFO", "device", "directory"] as const) {
      await using daemon = new FaultyDaemon();
      daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
      await using home = await SampleHome.make(daemon.url);
      for (const name of STATE_FILES) await place(kind, `${home.state}/${name}`);
      const entry = `${home.spool.dir}/000000000000001-00000000-session-end-9.json`;
      await place(kind, entry);
      await place(kind, `${home.path}/.config/signet/workspace.json`);
      await session(home, home.path, `a ${kind} at every state file`);
      await home.delivered();
      assertEquals([...daemon.ended.keys()], ["s"], kind);
      assertEquals(home.spool.rejectedCount(), 1, "the entry that cannot be read is parked");
    }
  },
});

Deno.test({
  name: "a drain lock that cannot be opened stops the drain, not the hook",
  ignore,
  async fn() {
    await using daemon = new FaultyDaemon();
    daemon.answer = () => ({ inject: "hello", memoriesSaved: 0, queued: false });
    await using home = await SampleHome.make(daemon.url);
    await place("FIFO", `${home.state}/drain.lock`);
    await session(home, home.path, "a FIFO at drain.lock");
    assertEquals(home.spool.list().length, 1, "the event waits on disk");
  },
});

Deno.test("a hook that is killed while it reads a conversation loses neither the end nor the conversation", async () => {
  await using daemon = new FaultyDaemon();
  await using home = await SampleHome.make(daemon.url);
  const path = `${home.path}/t.jsonl`;
  const said = JSON.stringify({ type: "user", message: { content: "tea?" } });
  // Lines that are no messages: a hook reads through them for a while.
  await Deno.writeTextFile(
    path,
    `${said}\n${`${JSON.stringify({ noise: "x".repeat(500) })}\n`.repeat(60_000)}`,
  );
  const stdin = JSON.stringify({ session_id: "s", cwd: home.path, transcript_path: path });
  const child = home.start(["hook", "session-end"], {}, "piped");
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await until("the event is on disk", () => exists(home.spool.dir) && !home.spool.isEmpty());
  try {
    child.kill("SIGKILL");
  } catch {
    // It was faster, which is as good.
  }
  await child.output();
  await writer.abort().catch(() => {});
  await home.hook("user-prompt-submit", { stdin: { session_id: "other", prompt: "hi" } });
  await home.delivered();
  assertEquals([...daemon.ended.keys()], ["s"]);
  const end = daemon.received.find(({ path }) => path.endsWith("/session-end"));
  assertEquals(end?.body.transcript, "User: tea?");
});
