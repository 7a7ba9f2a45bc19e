import {
  DEFAULT_URL,
  loadSettings,
  type Settings,
  type SettingsFlags,
} from "../../../hooks/daemon/settings.ts";
import type { Context } from "../../base/cli/command.ts";
import { askedBy } from "../../base/cli/commands/install.ts";
import { daemonUrls } from "./daemon_address.ts";
import { agentProblem, keyProblem, reachDaemon, type Reached } from "./daemon_questions.ts";
import type { FoundHarness } from "../find_harnesses.ts";
import { askAgent, askKey, askUrl } from "./setup_questions.ts";

/**
 * Asks for URL, key and agent, and asks the daemon after each answer. A wrong answer
 * is asked for again, and nothing else is. Values from the command line are not asked for.
 */
export async function askConnection(
  context: Context,
  found: readonly FoundHarness[],
): Promise<SettingsFlags> {
  const { host } = context;
  const given = await askedBy(context);
  const insecureHttp = given.insecureHttp ?? false;
  const stored = found.find(({ connected }) => connected)?.connected;
  const settingsWith = (flags: SettingsFlags) => loadSettings("connect", host, { insecureHttp, ...flags });

  const { url, needsKey } = await chooseUrl(context, {
    given: given.url,
    before: host.env("SIGNET_DAEMON_URL") ?? stored?.url ?? DEFAULT_URL,
    insecureHttp,
    settingsWith,
  });
  const apiKey = needsKey ? await chooseKey(context, found, url, given, settingsWith) : given.apiKey;
  const agentId = await chooseAgent(context, {
    given: given.agentId,
    before: host.env("SIGNET_AGENT_ID") ?? stored?.agentId ?? "default",
    settings: (agentId) => settingsWith({ url, apiKey, agentId }),
  });
  return { ...given, url, apiKey, agentId };
}

type SettingsWith = (flags: SettingsFlags) => Settings;

async function chooseUrl(
  { ui }: Context,
  { given, before, insecureHttp, settingsWith }: {
    given: string | undefined;
    before: string;
    insecureHttp: boolean;
    settingsWith: SettingsWith;
  },
): Promise<{ url: string; needsKey: boolean }> {
  let suggested = before;
  for (let address = given;; address = undefined) {
    const typed = address ?? await askUrl(suggested, insecureHttp);
    const { url, reached } = await ui.during(`Contacting ${typed}`, reachFirst(typed, settingsWith));
    if (reached.kind === "open") ui.ok(`The daemon at ${ui.bold(url)} answers and needs no key`);
    else if (reached.kind === "needs key") ui.ok(`The daemon at ${ui.bold(url)} answers`);
    if (reached.kind !== "failed") return { url, needsKey: reached.kind === "needs key" };
    ui.warn(reached.message);
    ui.next("Start the daemon and press Enter to try again, or type another URL. Ctrl-C stops.");
    suggested = typed;
  }
}

/** The first of the URLs that an address may mean at which a daemon answers. */
async function reachFirst(
  address: string,
  settingsWith: SettingsWith,
): Promise<{ url: string; reached: Reached }> {
  let failed: { url: string; reached: Reached } | undefined;
  for (const candidate of daemonUrls(address)) {
    const settings = settingsWith({ url: candidate });
    const reached = await reachDaemon(settings);
    if (reached.kind !== "failed") return { url: settings.url, reached };
    failed ??= { url: settings.url, reached };
  }
  return failed ?? { url: address, reached: { kind: "failed", message: `${address} is not a URL.` } };
}

async function chooseKey(
  { ui, host }: Context,
  found: readonly FoundHarness[],
  url: string,
  given: SettingsFlags,
  settingsWith: SettingsWith,
): Promise<string> {
  const stored = found.map(({ harness }) => loadSettings(harness.id, host, { url }).apiKey)
    .find((key) => key !== undefined);
  for (let key = given.apiKey ?? host.env("SIGNET_API_KEY");; key = undefined) {
    const apiKey = key ?? await askKey(stored);
    const problem = await ui.during(`Contacting ${url}`, keyProblem(settingsWith({ url, apiKey })));
    if (problem === undefined) return apiKey;
    ui.warn(problem);
    ui.next("Type the key again. Ctrl-C stops.");
  }
}

async function chooseAgent(
  { ui }: Context,
  { given, before, settings }: {
    given: string | undefined;
    before: string;
    settings: (agentId: string) => Settings;
  },
): Promise<string> {
  const check = (agentId: string) =>
    ui.during(`Asking about agent ${agentId}`, agentProblem(settings(agentId)));
  // A key for one agent says so: then that agent is the one to suggest.
  let suggested = (given === undefined ? await check(before) : undefined)?.owner ?? before;
  for (let agentId = given;; agentId = undefined) {
    const answer = agentId ?? await askAgent(suggested);
    const problem = await check(answer);
    if (problem === undefined) return answer;
    ui.warn(problem.message);
    if (problem.owner !== undefined) {
      ui.next(`Press Enter to use agent ${ui.bold(problem.owner)}. Ctrl-C stops.`);
      suggested = problem.owner;
    } else ui.next("Type another agent id. Ctrl-C stops.");
  }
}
