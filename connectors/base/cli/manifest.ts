import type { Harness } from "../harness.ts";
import type { Command } from "./command.ts";

/** Risk tiers: 1 read, 2 bounded write, 3 business change, 4 destructive or admin. */
export function riskTier(command: Command): 1 | 2 | 3 | 4 {
  if (command.mode === "admin") return 4;
  return ({ read: 1, write: 2, change: 3, destructive: 4 } as const)[command.action];
}

/** What `capabilities` prints and connector.json holds. */
export function manifest(binary: string, harnesses: readonly Harness[], commands: readonly Command[]) {
  const [only] = harnesses.length === 1 ? harnesses : [];
  return {
    tool: binary,
    backend: "signet-daemon",
    manifest_schema_version: "1.0.0",
    connector: {
      label: only ? `Signet for ${only.displayName}` : "Signet for every harness",
      category: "memory",
      categories: ["memory", "agent-identity"],
      resources: [...new Set(commands.map(({ resource }) => resource))],
    },
    auth: {
      kind: "service-key",
      // A daemon in local mode on this machine needs no key.
      required: false,
      service_keys: ["SIGNET_API_KEY"],
      interactive_setup: [
        "On the daemon's machine: signet-connect api-key create --mode admin --name NAME --connector HARNESS --agent-id ID",
        `Here: ${binary} install --url URL --api-key-file FILE --agent-id ID`,
      ],
    },
    commands: commands.map((command) => ({
      id: command.id,
      summary: command.summary,
      required_mode: command.mode,
      supports_json: !command.machine,
      resource: command.resource,
      action_class: command.action,
      risk_tier: riskTier(command),
    })),
    harnesses: harnesses.map(({ id, displayName, binary, runtimePath, fidelity, agents, assumed }) => ({
      id,
      display_name: displayName,
      binary,
      runtime_path: runtimePath,
      fidelity,
      ...agents ? { agents: agents.abilities } : {},
      ...assumed ? { assumed } : {},
    })),
  };
}

/** What permissions.json holds: each command and the mode it needs. */
export function permissions(commands: readonly Command[]) {
  return { commands: Object.fromEntries(commands.map(({ id, mode }) => [id, mode])) };
}
