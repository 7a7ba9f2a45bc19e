import { loadSettings } from "../../../hooks/daemon/settings.ts";
import { credentialsPath } from "../../../hooks/state/paths.ts";
import type { Harness } from "../harness.ts";
import { type Context, EXIT, UserError } from "./command.ts";
import { isPresent } from "./is_present.ts";

/**
 * The harnesses that were named, or else all of them; with `present`, all that are
 * on this machine. A command that writes needs names or --all.
 */
export function selectedHarnesses(context: Context, all: "present" | "known"): readonly Harness[] {
  const { harnesses, known, flags, host, command, binary } = context;
  if (harnesses.length > 0) return harnesses;
  if (command.action !== "read" && !flags.on("all")) {
    throw new UserError(
      `Which harness? Name one or more, or --all.`,
      EXIT.usage,
      `${binary} ${command.id} ${known.map(({ id }) => id).join("|")}`,
    );
  }
  return all === "known" ? known : known.filter((harness) => isPresent(harness, host));
}

/**
 * The harness whose settings a memory command uses. None has to be named if all that
 * are connected use the same memory: the same daemon, agent and key.
 */
export function memoryHarness(context: Context): Harness {
  const { harnesses, known, host, binary, command } = context;
  if (harnesses.length > 0) return selectedHarness(context);
  const connected = known.filter(({ id }) => isFile(credentialsPath(id, host)));
  const candidates = connected.length > 0 || !host.env("SIGNET_DAEMON_URL") ? connected : known;
  const [first] = candidates;
  if (first === undefined) {
    throw new UserError("No harness is connected.", EXIT.failed, `${binary} setup`);
  }
  // A directory may have an agent of its own.
  const settingsOf = ({ id, sharesEnvironment: projectFirst }: Harness) =>
    loadSettings(id, host, {}, { cwd: Deno.cwd(), projectFirst });
  const memories = new Set(candidates.map((harness) => {
    const { url, agentId, apiKey } = settingsOf(harness);
    return JSON.stringify([url, agentId, apiKey]);
  }));
  if (memories.size === 1) return first;
  const choices = candidates.map((harness) => {
    const { url, agentId } = settingsOf(harness);
    const { id } = harness;
    return `${binary} ${command.id} -H ${id} (agent ${agentId} at ${url})`;
  });
  throw new UserError(
    "The connected harnesses do not use the same memory; name one.",
    EXIT.usage,
    choices.join("\n  - "),
  );
}

function isFile(path: string | undefined): boolean {
  try {
    return path !== undefined && Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** The harness of a command that takes exactly one. */
export function selectedHarness({ harnesses, binary, command, known }: Context): Harness {
  const [only, second] = harnesses;
  if (only && !second) return only;
  throw new UserError(
    `${command.id} needs a harness.`,
    EXIT.usage,
    `${binary} ${command.id} -H ${known.map(({ id }) => id).join("|")}`,
  );
}
