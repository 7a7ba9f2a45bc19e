/**
 * A harness with a plugin in its process: one turn is over, the next has begun.
 * Then it waits to be killed. Its arguments: session, directory for transcripts,
 * and the hook's command.
 */
import { Session, transcriptOf } from "../../../connectors/base/plugin/bridge.js";

const [session_id = "", transcripts = "", ...argv] = Deno.args;
const timeouts = { "session-start": 60_000, "user-prompt-submit": 60_000 };
const settings = { argv: [...argv, "hook", "EVENT"], timeouts, checkpointEvery: 10, transcripts };
const session = new Session(settings, { session_id, cwd: "/home/u/proj" });
await session.start("startup");
await session.prompt("what do I drink?");
session.keep(transcriptOf([{ role: "user", text: "what do I drink?" }, { role: "assistant", text: "Tea." }]));
await session.prompt("and with it?");
const kept = () => Deno.readTextFileSync(`${transcripts}/${session_id}.txt`);
while (!kept().endsWith("and with it?")) await new Promise((resolve) => setTimeout(resolve, 5));
console.log("ready");
setInterval(() => {}, 1000);
