import { assertEquals, assertRejects } from "@std/assert";
import { programArgs } from "../tests/worlds/programs.ts";

const MAIN = programArgs("mock_daemon/main.ts");

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly child: Deno.ChildProcess;
}

async function start(...args: string[]): Promise<Running> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...MAIN, "--port", "0", ...args],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let output = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    if (output.includes("\n")) break;
  }
  return { url: output.trim(), child, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}

Deno.test("main loses no acknowledged memory when killed by SIGKILL", async () => {
  const dir = await Deno.makeTempDir();
  const args = ["--db", `${dir}/memory.db`];
  await using first = await start(...args);
  const acknowledged: string[] = [];
  const send = async (index: number) => {
    const content = `fact number ${index}`;
    const response = await fetch(`${first.url}/api/memory/remember`, {
      method: "POST",
      body: JSON.stringify({ content }),
    });
    await response.json();
    acknowledged.push(content);
    if (acknowledged.length === 60) first.child.kill("SIGKILL");
  };
  // Many at once, so that some are in flight when the process is killed.
  await Promise.allSettled(Array.from({ length: 200 }, (_, index) => send(index)));
  await first.child.status;

  await using second = await start(...args);
  const list = await (await fetch(`${second.url}/api/memories?limit=1000`)).json();
  const kept = new Set(list.memories.map((memory: { content: string }) => memory.content));
  assertEquals(acknowledged.filter((content) => !kept.has(content)), []);
  second.child.kill("SIGTERM");
  assertEquals((await second.child.status).code, 0);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("main prints one line, creates the admin key file, and stops cleanly on SIGINT", async () => {
  const dir = await Deno.makeTempDir();
  const file = `${dir}/admin.key`;
  await using running = await start("--auth", "team", "--admin-key-file", file);
  const { url, child } = running;
  const key = (await Deno.readTextFile(file)).trim();
  assertEquals(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  const refused = await fetch(`${url}/api/auth/api-keys`);
  await refused.body?.cancel();
  assertEquals(refused.status, 401);
  const answer = await fetch(`${url}/api/auth/api-keys`, { headers: { authorization: `Bearer ${key}` } });
  assertEquals((await answer.json()).apiKeys.length, 1);
  child.kill("SIGINT");
  assertEquals((await child.status).code, 0);
  await assertRejects(() => fetch(url));
  await Deno.remove(dir, { recursive: true });
});

Deno.test("main rejects bad options with one line that says what to do", async () => {
  const text = await Deno.makeTempFile();
  await Deno.writeTextFile(text, "just some text, long enough to be taken for a database file".repeat(20));
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases = [
    [
      ["--port", String(taken.addr.port)],
      1,
      /the port is in use; stop the other program or choose another --port/,
    ],
    [["--db", text], 1, /cannot be used as a database: .*Choose another file for --db/],
    [["--auth", "team", "--admin-key-file", text], 2, /does not contain an API key; delete it/],
    [["--host", "0.0.0.0"], 1, /refuses to listen on 0\.0\.0\.0 without API keys; add --auth team/],
    [["--host", "10.0.0.1", "--auth", "hybrid"], 1, /without API keys/],
    [["--auth", "team"], 2, /--admin-key-file/],
    [["--auth", "none"], 2, /--auth none is not a valid mode; use local, hybrid, team/],
    [["--port", "x"], 2, /--port x is not a valid port/],
    [["--colour"], 2, /unknown option "--colour"/],
  ] as const;
  await Promise.all(cases.map(async ([args, code, message]) => {
    const result = await new Deno.Command(Deno.execPath(), {
      args: [...MAIN, ...args],
    }).output();
    const stderr = new TextDecoder().decode(result.stderr);
    assertEquals(
      [result.code, message.test(stderr), stderr.trim().split("\n").length],
      [code, true, 1],
      stderr,
    );
    assertEquals(result.stdout.length, 0);
  }));
  await Deno.remove(text);
});

Deno.test("main --profile 0.58 writes an admin token, and asks for it even on /health", async () => {
  const dir = await Deno.makeTempDir();
  const file = `${dir}/admin.token`;
  await using running = await start("--profile", "0.58", "--auth", "team", "--admin-key-file", file);
  const refused = await fetch(`${running.url}/health`);
  assertEquals([refused.status, await refused.json()], [401, { error: "authentication required" }]);
  const token = (await Deno.readTextFile(file)).trim();
  assertEquals(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  const health = await fetch(`${running.url}/health`, { headers: { authorization: `Bearer ${token}` } });
  assertEquals([health.status, (await health.json()).version], [200, "0.58.1"]);
  running.child.kill("SIGTERM");
  await running.child.status;
  await Deno.remove(dir, { recursive: true });
});

Deno.test("main refuses an unknown profile", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...MAIN, "--profile", "0.99"],
  }).output();
  assertEquals(code, 2);
  assertEquals(
    new TextDecoder().decode(stderr).trim(),
    "signet-mock-daemon: --profile 0.99 is not a profile; use design, 0.145, 0.58.",
  );
});
