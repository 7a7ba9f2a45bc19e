import { appendLog, formatLine, type LogRecord } from "../../../hooks/log.ts";
import { stateDir } from "../../../hooks/state/paths.ts";
import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { type Context, EXIT, type Outcome, UserError } from "./command.ts";

/**
 * Runs a command and, if it may write, accounts for it: one line in the
 * harness's hook.log, and one in the file that SIGNET_AUDIT_LOG names.
 *
 * hook.log goes with the state that uninstall removes, so that nothing of ours
 * is left behind; where the account of an uninstall has to stay, the variable
 * names a place for it.
 */
export async function withAudit(context: Context, work: () => Promise<Outcome>): Promise<Outcome> {
  const { command, flags } = context;
  const looks = command.action === "read" && !command.flags.some(({ name, mode }) => mode && flags.on(name));
  if (looks || command.machine || flags.on("dry-run")) return await work();
  const started = performance.now();
  const agents = agentsOf(context);
  const write = (harnesses: readonly string[], code: number, error?: string) => {
    for (const harness of harnesses.length > 0 ? harnesses : [undefined]) {
      note(context, harness, code, {
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
    const told = harnessesIn(outcome.data);
    write(told.length > 0 ? told : context.harnesses.map(({ id }) => id), outcome.code);
    return outcome;
  } catch (error) {
    const code = error instanceof UserError ? error.code : EXIT.failed;
    write(context.harnesses.map(({ id }) => id), code, error instanceof Error ? error.message : "");
    throw error;
  }
}

/** Which key: its name, or the id that was given. The texts of memories are nobody's business here. */
function subject({ command, flags, args }: Context): string | undefined {
  return command.resource === "api-keys" ? flags.text("name") ?? args.join(" ") : undefined;
}

function agentOf({ host }: Context, harness: string): string {
  return loadSettings(harness, host).agentId;
}

/** Whose set-up this was: after an uninstall nothing says so any more. */
function agentsOf(context: Context): Map<string, string> {
  if (context.command.id !== "uninstall") return new Map();
  return new Map(context.known.map(({ id }) => [id, agentOf(context, id)]));
}

/** With these a command ends before it writes anything, its log included. */
const UNTOUCHED: readonly number[] = [EXIT.usage, EXIT.refused, EXIT.file, EXIT.key, EXIT.unreachable];

/** The harnesses that a command's own report names. */
function harnessesIn(data: unknown): string[] {
  const named = (value: unknown) =>
    typeof value === "object" && value !== null && "harness" in value && typeof value.harness === "string"
      ? [value.harness]
      : [];
  return Array.isArray(data) ? data.flatMap(named) : named(data);
}

function note(
  { command, host, ui }: Context,
  harness: string | undefined,
  code: number,
  record: LogRecord,
): void {
  const dir = harness === undefined ? undefined : stateDir(harness, host);
  // A memory can be stored without an install; anything else that has left no directory has left nothing.
  const wrote = dir !== undefined && !UNTOUCHED.includes(code) &&
    (isDirectory(dir) || (command.resource === "memory" && code === EXIT.ok));
  if (wrote) appendLog(dir, record);
  const file = host.env("SIGNET_AUDIT_LOG");
  if (!file) return;
  try {
    Deno.writeTextFileSync(file, formatLine(record), { append: true, create: true, mode: 0o600 });
  } catch (error) {
    ui.warn(`${file} took no audit line: ${error instanceof Error ? error.message : error}`);
  }
}

function isDirectory(dir: string): boolean {
  try {
    return Deno.statSync(dir).isDirectory;
  } catch {
    return false;
  }
}
