import { DaemonClient } from "../../../hooks/daemon/client.ts";
import type { Settings } from "../../../hooks/daemon/settings.ts";
import { readPolicy } from "../agents/transport/read_policy.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { keyNeeded } from "./key_needed.ts";

/** Who can read what. All of it is as the daemon was set up, so none of it is a fault. */
export async function* checkSharing(settings: Settings): AsyncGenerator<Diagnosis> {
  const client = DaemonClient.from(settings);
  const agent = `Agent ${settings.agentId}`;
  if (await keyNeeded(client) === false && settings.apiKey) {
    yield {
      id: "keys-unchecked",
      ok: true,
      message: "This daemon does not check keys: any program that can reach it can act for every agent",
    };
  }
  const found = await readPolicy(client);
  const projects = "Recovery notes of a project go to every agent that works in it";
  switch (found.kind) {
    case "failed":
      return;
    case "not separated":
      yield {
        id: "sharing",
        ok: true,
        message: "This daemon does not separate agents: each of them reads all memories",
      };
      return;
    case "unregistered":
      yield {
        id: "sharing",
        ok: true,
        message:
          `${agent} is not registered yet: its first session registers it as shared with the other agents`,
        fix: "to keep its memories to itself, run install again with --isolated before that",
      };
      return;
    case "registered":
      yield {
        id: "sharing",
        ok: true,
        message: found.policy === "isolated"
          ? `${agent} is isolated: it reads only its own memories. ${projects}`
          : found.policy === "group"
          ? `${agent} shares its memories with the group ${found.group ?? ""}. ${projects}`
          : `${agent} is ${found.policy}: it reads the other agents' memories that are not private, and they read its own`,
      };
  }
}
