import { createMockDaemon, type MockDaemon } from "../../../mock_daemon/daemon.ts";

export interface Surroundings {
  readonly daemon: MockDaemon;
  readonly url: string;
  readonly home: string;
  /** What a harness would pass on: no SIGNET_ variables, so the settings come from the file. */
  readonly env: Record<string, string>;
}

/**
 * Runs `use` with a mock daemon that wants keys, a home with installed settings
 * for the agent nicholai/pi, and an agent bob who has written a message.
 */
export async function withSurroundings(use: (place: Surroundings) => Promise<void>): Promise<void> {
  const daemon = createMockDaemon({ auth: "team" });
  const agent = "nicholai/pi";
  const { key } = daemon.createKey({ name: "pi", role: "agent", scope: { agent } });
  const { key: bobs } = daemon.createKey({ name: "bob", role: "agent", scope: { agent: "bob" } });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, daemon.app.fetch);
  const url = `http://127.0.0.1:${server.addr.port}`;
  const home = await Deno.makeTempDir();
  try {
    const bob = { harness: "codex", agentId: "bob", sessionKey: "s-bob", project: "/home/u/proj" };
    await post(url, bobs, "/api/cross-agent/presence", bob);
    const message = { fromAgentId: "bob", toAgentId: agent, type: "info", content: "hello from bob" };
    await post(url, bobs, "/api/cross-agent/messages", message);
    await Deno.mkdir(`${home}/.config/signet/connectors`, { recursive: true, mode: 0o700 });
    const settings = JSON.stringify({ url, apiKey: key, agentId: agent });
    await Deno.writeTextFile(`${home}/.config/signet/connectors/pyagent.json`, settings, { mode: 0o600 });
    await use({ daemon, url, home, env: { HOME: home, PATH: Deno.env.get("PATH") ?? "" } });
  } finally {
    daemon.stop();
    await server.shutdown();
    daemon.close();
    await Deno.remove(home, { recursive: true });
  }
}

async function post(url: string, key: string, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
}
