/**
 * One of the processes of the contention test: takes and frees locks on a few
 * paths, and checks with an exclusive file that nobody else holds them meanwhile.
 *
 *   deno run -A contender.ts AGENTS_DIR FILES_DIR NAME ROUNDS PATHS
 */
import { type Caller, callerOf } from "../../state/caller.ts";
import { Locks } from "./locks.ts";

const [agentsDir = "", files = "", name = "", rounds = "0", paths = "1"] = Deno.args;
const locks = new Locks(agentsDir);
const caller: Caller | undefined = callerOf(Deno.pid);
const owner = { agentId: "a", harness: "test", session: name, machine: "here", caller };
let taken = 0;
let waits = 0;
while (taken < Number(rounds)) {
  const path = `${files}/${Math.floor(Math.random() * Number(paths))}`;
  const result = await locks.take(path, "/", { owner });
  if (result.kind === "held") {
    if (++waits > 1_000_000) throw new Error("waited too often");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    continue;
  }
  const proof = `${path}.holder`;
  try {
    Deno.writeTextFileSync(proof, String(Deno.pid), { createNew: true });
  } catch {
    const other = Number(Deno.readTextFileSync(proof));
    // A holder that was killed leaves its proof behind.
    if (other === Deno.pid || callerOf(other) !== undefined) {
      console.log(`two holders of ${path}: ${name} and process ${other}`);
      Deno.exit(1);
    }
    Deno.removeSync(proof);
    Deno.writeTextFileSync(proof, String(Deno.pid), { createNew: true });
  }
  if (Math.random() < 0.5) await new Promise((resolve) => setTimeout(resolve, Math.random() * 2));
  taken++;
  Deno.removeSync(proof);
  await locks.free(owner, { path });
}
console.log(`ok ${taken}`);
