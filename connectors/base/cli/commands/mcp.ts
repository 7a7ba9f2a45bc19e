import { loadSettings } from "../../../../hooks/daemon/settings.ts";
import { mcpMain } from "../../mcp/main.ts";
import { VERSION } from "../../../../hooks/daemon/version.ts";
import { type Context, EXIT, type Outcome } from "../command.ts";
import { selectedHarness } from "../selected_harnesses.ts";

export async function run(context: Context): Promise<Outcome> {
  const { host, binary, mode } = context;
  const harness = selectedHarness(context);
  const { id, sharesEnvironment: projectFirst } = harness;
  const settings = loadSettings(id, host, {}, { cwd: Deno.cwd(), projectFirst });
  await mcpMain({ settings, harness, binary, version: VERSION, mode, host });
  return { code: EXIT.ok, data: undefined };
}
