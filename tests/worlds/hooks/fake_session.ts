/**
 * A harness that starts a session, asks two things, writes its transcript, and
 * then waits to be killed. Its arguments: session, transcript, and the hook's command.
 */
const [session = "", transcript = "", program = "", ...args] = Deno.args;

async function hook(event: string, more: Record<string, unknown>): Promise<void> {
  const child = new Deno.Command(program, {
    args: [...args, "hook", event],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const input = { session_id: session, cwd: "/home/u/proj", transcript_path: transcript, ...more };
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(input)));
  await writer.close();
  await child.status;
}

function say(role: "user" | "assistant", content: string): void {
  Deno.writeTextFileSync(transcript, JSON.stringify({ type: role, message: { role, content } }) + "\n", {
    append: true,
  });
}

await hook("session-start", { source: "startup" });
for (const prompt of ["what do I drink?", "and with it?"]) {
  await hook("user-prompt-submit", { prompt });
  say("user", prompt);
  say("assistant", `An answer to: ${prompt} ${"It is a long one. ".repeat(20)}`);
}
console.log("ready");
setInterval(() => {}, 1000);
