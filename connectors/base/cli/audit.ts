import { appendLog, formatLine, type LogRecord } from "../../../hooks/log.ts";
import { stateDir } from "../../../hooks/state/paths.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { type Context, EXIT, type Outcome, UserError } from "./command.ts";

/**
 * Runs a command and, if it can write, logs it: one line in the harness's
 * hook.log, and one in the file that SIGNET_AUDIT_LOG names.
 *
 * Uninstall removes hook.log with the rest of the state, so the record of an
 * uninstall needs a file elsewhere.
 */
export async function withAudit(context: Context, work: () => Promise<Outcome>): Promise<Outcome> {
  const { command, flags } = context;
  const readsOnly = command.action === "read" &&
    !command.flags.some(({ name, mode }) => mode && flags.on(name));
  if (readsOnly || command.machine || flags.on("dry-run")) return await work();
  const started = performance.now();
  const agents = agentsOf(context);
  const write = (harnesses: readonly string[], code: number, error?: string) => {
    for (const harness of harnesses.length > 0 ? harnesses : [undefined]) {
      writeRecord(context, harness, code, {
        at: new Date().toISOString(),
        event: `cli ${command.id}`,
        outcome: code === EXIT.ok ? "ok" : code === EXIT.degraded ? "degraded" : `failed ${code}`,
        ms: Math.round(performance.now() - started),
        detail: [
          harness === undefined ? context.binary : `${context.binary} ${harness}`,
          harness === undefined ? undefined : `agent ${agents.get(harness) ?? agentOf(context, harness)}`,
          subject(context),
          error,
        ].filter((part) => part !== undefined).join(", "),
      });
    }
  };
  try {
    const outcome = await work();
    const reported = harnessesIn(outcome.data);
    write(reported.length > 0 ? reported : context.harnesses.map(({ id }) => id), outcome.code);
    return outcome;
  } catch (error) {
    const code = error instanceof UserError ? error.code : EXIT.failed;
    write(context.harnesses.map(({ id }) => id), code, error instanceof Error ? error.message : "");
    throw error;
  }
}

/** The key's name or id. Memory contents are private and never logged. */
function subject({ command, flags, args }: Context): string | undefined {
  return command.resource === "api-keys" ? flags.text("name") ?? args.join(" ") : undefined;
}

function agentOf({ host }: Context, harness: string): string {
  return loadSettings(harness, host).agentId;
}

/** The agents before an uninstall, which removes the settings that name them. */
function agentsOf(context: Context): Map<string, string> {
  if (context.command.id !== "uninstall") return new Map();
  return new Map(context.known.map(({ id }) => [id, agentOf(context, id)]));
}

/** With these codes a command wrote nothing, so it must not create a log either. */
const WROTE_NOTHING: readonly number[] = [EXIT.usage, EXIT.refused, EXIT.file, EXIT.key, EXIT.unreachable];

/** The harnesses named in a command's result. */
function harnessesIn(data: unknown): string[] {
  const named = (value: unknown) =>
    typeof value === "object" && value !== null && "harness" in value && typeof value.harness === "string"
      ? [value.harness]
      : [];
  return Array.isArray(data) ? data.flatMap(named) : named(data);
}

function writeRecord(
  { command, host, ui }: Context,
  harness: string | undefined,
  code: number,
  record: LogRecord,
): void {
  const dir = harness === undefined ? undefined : stateDir(harness, host);
  // Only a memory can be stored without an install; other commands without a state directory wrote nothing.
  const wrote = dir !== undefined && !WROTE_NOTHING.includes(code) &&
    (isDirectory(dir) || (command.resource === "memory" && code === EXIT.ok));
  if (wrote) appendLog(dir, record);
  const file = host.env("SIGNET_AUDIT_LOG");
  if (!file) return;
  try {
    Deno.writeTextFileSync(file, formatLine(record), { append: true, create: true, mode: 0o600 });
  } catch (error) {
    ui.warn(`Could not write the audit log ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function isDirectory(dir: string): boolean {
  try {
    return Deno.statSync(dir).isDirectory;
  } catch {
    return false;
  }
}
