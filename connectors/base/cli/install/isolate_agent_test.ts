import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import { PROFILE_NAMES, serve } from "../../../../mock_daemon/mod.ts";
import { EXIT, UserError } from "../command.ts";
import { isolateAgent } from "./isolate_agent.ts";
import { checkSharing } from "../../doctor/check_sharing.ts";

function settings(url: string, agentId: string) {
  const env: Record<string, string> = { SIGNET_DAEMON_URL: url, SIGNET_AGENT_ID: agentId };
  return loadSettings("sample", { os: "linux", env: (name) => env[name] });
}

const ui = { ok() {}, bold: (text: string) => text };

async function sharing(url: string, agentId: string): Promise<string> {
  const findings = await Array.fromAsync(checkSharing(settings(url, agentId)));
  assertEquals(findings.every(({ ok }) => ok), true);
  return findings.map(({ message }) => message).join("\n");
}

for (const profile of PROFILE_NAMES) {
  Deno.test(`an agent is isolated before its first hook, and doctor says who reads what (${profile})`, async () => {
    const server = serve({ profile });
    await using _ = { [Symbol.asyncDispose]: () => server.shutdown() };
    const { url } = server;
    if (profile === "0.58") {
      const error = await assertRejects(() => isolateAgent({ ui }, settings(url, "ana")), UserError);
      assertEquals(error.code, EXIT.failed);
      assertStringIncludes(error.message, "does not separate agents");
      assertStringIncludes(await sharing(url, "ana"), "each of them reads all memories");
      return;
    }
    assertStringIncludes(await sharing(url, "ana"), "is not registered yet");
    await isolateAgent({ ui }, settings(url, "ana"));
    await isolateAgent({ ui }, settings(url, "ana"));
    const hook = await fetch(`${url}/api/hooks/session-start`, {
      method: "POST",
      body: JSON.stringify({ harness: "pi", agentId: "ana", sessionKey: "s", runtimePath: "legacy" }),
    });
    await hook.body?.cancel();
    assertStringIncludes(await sharing(url, "ana"), "Agent ana is isolated");
    assertStringIncludes(await sharing(url, "default"), "Agent default is shared");
    const error = await assertRejects(() => isolateAgent({ ui }, settings(url, "default")), UserError);
    assertStringIncludes(error.message, "exists at");
  });
}
