import type { AgentCard } from "@a2a-js/sdk";
import { A2A_PROTOCOL_VERSION } from "@a2a-js/sdk";
import { VERSION } from "../../../../hooks/daemon/version.ts";
import { INPUT_MODES, OUTPUT_MODES } from "./message_text.ts";

export interface CardFacts {
  /** Where the agent is reached, without a slash at the end. */
  readonly url: string;
  /** "Claude Code"; undefined if any agent of the machine may take a task. */
  readonly harness?: string;
}

const SCHEME = "bearer";

/** What an outside agent may know: no paths, no names of people or projects, no instructions. */
export function agentCard({ url, harness }: CardFacts): AgentCard {
  const name = harness === undefined ? "Signet agent" : `${harness} (Signet)`;
  const does =
    "Reads, writes and reviews code in the directory that it works in, and answers questions about it.";
  return {
    name,
    description: `A coding agent, reached through the Signet agent mesh. ${does}`,
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", tenant: "", protocolVersion: A2A_PROTOCOL_VERSION },
      { url, protocolBinding: "HTTP+JSON", tenant: "", protocolVersion: A2A_PROTOCOL_VERSION },
    ],
    provider: undefined,
    version: VERSION,
    capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: false },
    securitySchemes: {
      [SCHEME]: {
        scheme: {
          $case: "httpAuthSecurityScheme",
          value: { description: "A token of this gateway", scheme: "Bearer", bearerFormat: "" },
        },
      },
    },
    securityRequirements: [{ schemes: { [SCHEME]: { list: [] } } }],
    defaultInputModes: INPUT_MODES,
    defaultOutputModes: OUTPUT_MODES,
    skills: [{
      id: "task",
      name: "Do a task",
      description: does,
      tags: ["code", "questions"],
      examples: ["Which tests fail on main, and why?"],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    }],
    signatures: [],
  };
}
