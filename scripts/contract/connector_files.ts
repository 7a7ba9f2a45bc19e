import type { Program } from "../../connectors/base/cli/main.ts";
import { forHarnesses } from "../../connectors/base/cli/main.ts";
import { manifest, permissions } from "../../connectors/base/cli/manifest.ts";
import { COMMANDS } from "../../connectors/base/cli/commands.ts";
import { CONNECT_BINARY } from "../../connectors/base/hooks_config/hook_command.ts";
import { CONNECT_COMMANDS } from "../../connectors/connect/commands.ts";
import { HARNESSES } from "../../connectors/registry.ts";

/** A binary and the folder of its connector. */
export interface Connector extends Program {
  readonly folder: string;
}

/** Every binary: one for each harness, and one for all of them. */
export const CONNECTORS: readonly Connector[] = [
  ...HARNESSES.map((harness) => ({
    folder: `connectors/${harness.id.replaceAll("-", "_")}`,
    binary: harness.binary,
    harnesses: [harness],
    commands: forHarnesses(COMMANDS, [harness]),
  })),
  {
    folder: "connectors/connect",
    binary: CONNECT_BINARY,
    harnesses: HARNESSES,
    commands: forHarnesses(CONNECT_COMMANDS, HARNESSES),
  },
];

const json = (value: unknown) => JSON.stringify(value, null, 2) + "\n";

/** The contract's files as the repository should have them. */
export function connectorFiles(): { path: string; text: string }[] {
  return CONNECTORS.flatMap(({ folder, binary, harnesses, commands }) => [
    { path: `${folder}/connector.json`, text: json(manifest(binary, harnesses, commands)) },
    { path: `${folder}/permissions.json`, text: json(permissions(commands)) },
  ]);
}
