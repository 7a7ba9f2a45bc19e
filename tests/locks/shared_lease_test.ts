import { assertEquals } from "@std/assert";
import type { Lock } from "../../hooks/agents/locks/lock.ts";
import { AgentMachine } from "../worlds/agents/agent_machine.ts";
import type { LeaseStore } from "../../connectors/base/agents/locks/lease.ts";
import { freeLocks, takeLocks } from "../../connectors/base/agents/locks/locking.ts";
import { openMesh } from "../../connectors/base/agents/mesh.ts";
import { openStation } from "../../connectors/base/agents/station.ts";

/** One store for all machines, as a key-value bucket with compare and set is. */
class OneStore implements LeaseStore {
  readonly leases = new Map<string, Lock>();

  async take(lock: Lock): ReturnType<LeaseStore["take"]> {
    await Promise.resolve();
    const current = this.leases.get(lock.path);
    if (current !== undefined && current.token !== lock.token) return { kind: "held", lock: current };
    this.leases.set(lock.path, lock);
    return { kind: "taken" };
  }

  renew(lock: Lock): Promise<boolean> {
    return Promise.resolve(this.leases.get(lock.path)?.token === lock.token);
  }

  free(lock: Lock): Promise<void> {
    if (this.leases.get(lock.path)?.token === lock.token) this.leases.delete(lock.path);
    return Promise.resolve();
  }
}

Deno.test("takeLocks() with a lease store gives a shared lock to one of many machines", async () => {
  const leases = new OneStore();
  const machines = await Promise.all(Array.from({ length: 5 }, async () => {
    const machine = await AgentMachine.make();
    const app = `${await Deno.realPath(machine.path)}/app`;
    await Deno.mkdir(`${app}/.git`, { recursive: true });
    await Deno.writeTextFile(`${app}/.git/config`, '[remote "origin"]\n\turl = https://example.com/a\n');
    const session = machine.begin("codex", { project: app });
    const mesh = openMesh(machine.host);
    const caller = { kind: "session", session, how: "named" } as const;
    const station = openStation({ mesh, caller, agentId: "me", machine: machine.path, cwd: app });
    return { machine, station: { ...station, leases } };
  }));
  const take = () =>
    Promise.all(machines.map(({ station }) => takeLocks(station, ["a.ts"], { shared: true })));
  const answers = await take();
  assertEquals(answers.filter(({ kind }) => kind === "taken").length, 1);
  const winner = answers.findIndex(({ kind }) => kind === "taken");
  const again = await take();
  assertEquals(again.findIndex(({ kind }) => kind === "taken"), winner, "and it stays there");
  const held = machines[winner];
  if (held !== undefined) assertEquals((await freeLocks(held.station, ["a.ts"])).length, 1);
  assertEquals(leases.leases.size, 0);
  assertEquals((await take()).filter(({ kind }) => kind === "taken").length, 1, "free again");
  for (const { machine } of machines) await machine[Symbol.asyncDispose]();
});
