import type { AgentCard } from "@a2a-js/sdk";

/** Where agents had their card before A2A 0.3. */
export const LEGACY_CARD_PATH = "/.well-known/agent.json";
export const LEGACY_VERSION = "0.3";

/** The card in the form of A2A 0.3: one address, and schemes in the manner of OpenAPI. */
export function legacyCard({ supportedInterfaces, ...card }: AgentCard): Record<string, unknown> {
  const { name, description, version, defaultInputModes, defaultOutputModes } = card;
  return {
    protocolVersion: "0.3.0",
    name,
    description,
    version,
    url: supportedInterfaces[0]?.url,
    preferredTransport: "JSONRPC",
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    security: [{ bearer: [] }],
    defaultInputModes,
    defaultOutputModes,
    skills: card.skills.map(({ id, name, description, tags, examples }) => ({
      id,
      name,
      description,
      tags,
      examples,
    })),
  };
}
