import { assert, assertEquals } from "@std/assert";
import { findCaller, isGone } from "./caller.ts";

const ignore = Deno.build.os !== "linux";
const host = (env: Record<string, string> = {}) => ({ os: Deno.build.os, env: (name: string) => env[name] });

async function program(...argv: string[]): Promise<Deno.ChildProcess> {
  const [command = "", ...args] = argv;
  const child = new Deno.Command(command, { args, stdin: "piped", stdout: "piped" }).spawn();
  // It has replaced the copy of this process as soon as it answers.
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("echo\n"));
  writer.releaseLock();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return child;
}

async function end(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.status;
  await child.stdin.close().catch(() => {});
}

Deno.test({
  name: "isGone() is true once the process is gone, or its number belongs to another program",
  ignore,
  async fn() {
    const child = await program("cat");
    const caller = findCaller(child.pid, host());
    assert(caller !== undefined);
    assertEquals(isGone(caller), false);
    assertEquals(isGone({ ...caller, program: "/usr/bin/another" }), true);
    assertEquals(isGone({ ...caller, machine: "another machine" }), false, "nothing is known about it");
    await end(child);
    assertEquals(isGone(caller), true);
  },
});

Deno.test({
  name: "findCaller() does not take a shell for the harness, unless the shell names its parent",
  ignore,
  async fn() {
    const shell = await program("sh");
    assertEquals(findCaller(shell.pid, host()), undefined);
    assertEquals(findCaller(shell.pid, host({ SIGNET_CALLER: "x" })), undefined);
    assertEquals(findCaller(shell.pid, host({ SIGNET_CALLER: `${Deno.pid}` }))?.pid, Deno.pid);
    await end(shell);
  },
});

Deno.test("findCaller() knows nothing on other systems", () => {
  assertEquals(findCaller(Deno.ppid, { os: "darwin", env: () => undefined }), undefined);
});
