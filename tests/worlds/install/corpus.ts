import type { Edit, Format, Json } from "../../../connectors/base/edit/edit.ts";
import { isMap } from "../../../connectors/base/edit/json_value.ts";
import { nameOf } from "../../../connectors/base/fs/file_path.ts";
import { sameBytes } from "../../../connectors/base/fs/same_bytes.ts";
import type { Target } from "../../../connectors/base/harness.ts";
import { applyPlan } from "../../../connectors/base/install/apply/apply.ts";
import { planInstall } from "../../../connectors/base/install/plan/plan_install.ts";
import { planUninstall } from "../../../connectors/base/install/plan/plan_uninstall.ts";
import { MemoryOs } from "../../../connectors/base/testing/os/memory_os.ts";

/** What became of one file. */
export interface CorpusResult {
  readonly kind: "same" | "refused" | "changed";
  readonly format: Format | "markdown";
  readonly reason?: string;
}

const PROGRAM = "/home/u/.local/bin/signet-corpus";
const isOurs = (value: Json) =>
  isMap(value) && typeof value.command === "string" && value.command.includes(PROGRAM);
const handler = { type: "command", command: `"${PROGRAM}" hook session-start`, timeout: 5 };
/** One entry of each form that the connectors write. */
const EDITS: Edit[] = [
  {
    kind: "item",
    path: ["hooks", "SessionStart"],
    value: { hooks: [handler] },
    inner: "hooks",
    owns: isOurs,
  },
  { kind: "entry", path: ["mcpServers", "signet"], value: { command: PROGRAM, args: ["mcp"] }, owns: isOurs },
];

/** Installs into a copy of a file and uninstalls again; undefined if its name has no format. */
export async function roundTrip(path: string, bytes: Uint8Array): Promise<CorpusResult | undefined> {
  const results: CorpusResult[] = [];
  for (const format of formatsOf(path)) {
    const result = await tryFormat(format, bytes).catch((error): CorpusResult => ({
      kind: "changed",
      format,
      reason: String(error?.stack ?? error),
    }));
    if (result.kind !== "refused") return result;
    results.push(result);
  }
  return results[0];
}

/** The formats that a file may be in, by its name: some programs allow comments in a `.json`. */
function formatsOf(path: string): (Format | "markdown")[] {
  const ending = /\.([a-z0-9]+)$/i.exec(nameOf(path))?.[1]?.toLowerCase();
  switch (ending) {
    case "yaml":
    case "yml":
      return ["yaml"];
    case "json":
      return ["json", "jsonc", "json5"];
    case "md":
      return ["markdown"];
    case "toml":
    case "jsonc":
    case "json5":
      return [ending];
    default:
      return [];
  }
}

async function tryFormat(format: Format | "markdown", bytes: Uint8Array): Promise<CorpusResult> {
  if (new TextDecoder().decode(bytes).includes("SIGNET:START")) {
    return { kind: "refused", format, reason: "it has a Signet block already" };
  }
  const os = new MemoryOs();
  const path = "/home/u/config";
  os.put(path, bytes);
  const target: Target = format === "markdown"
    ? { kind: "block", path, text: "Signet keeps this agent's memory." }
    : { kind: "edit", path, format, edits: EDITS };
  const request = { harness: "corpus", stateDir: "/home/u/.local/state/signet/corpus", targets: [target] };
  const plan = await planInstall(os, request);
  const refused = plan.problems[0] ?? plan.conflicts[0];
  if (refused !== undefined) return { kind: "refused", format, reason: refused.replace(`${path}:`, "") };
  await applyPlan(os, plan);
  if ((await planInstall(os, request)).changes.length > 0) {
    return { kind: "changed", format, reason: "installing twice is not installing once" };
  }
  const { warnings } = await applyPlan(os, await planUninstall(os, request));
  const back = os.files.get(path)?.bytes;
  return back && sameBytes(back, bytes)
    ? { kind: "same", format }
    : { kind: "changed", format, reason: ["it did not come back to the byte", ...warnings].join("; ") };
}
