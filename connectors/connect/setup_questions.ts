import { confirm, isCancel, multiselect, password, text } from "@clack/prompts";
import { checkAgentId, checkUrl, keyAllowed } from "../../hooks/daemon/settings.ts";
import { EXIT, UserError } from "../base/cli/command.ts";
import type { Ui } from "../base/cli/ui.ts";
import { aboutHarness, type FoundHarness } from "./find_harnesses.ts";

function isAnswer<T>(answer: T): answer is Exclude<T, symbol> {
  return !isCancel(answer);
}

/** Ctrl-C or Escape in a question: nothing was written before the last one is answered. */
function orCancel<T>(answer: T): Exclude<T, symbol> {
  if (!isAnswer(answer)) throw new UserError("Stopped. Nothing was written.", EXIT.failed);
  return answer;
}

const problemOf = (checked: object) => "problem" in checked ? String(checked.problem) : undefined;

export async function askUrl(before: string): Promise<string> {
  const answer = orCancel(
    await text({
      message: "Where is your Signet daemon?",
      initialValue: before,
      placeholder: "https://signet-home.tailnet:3850",
      validate: (value) => problemOf(checkUrl(value ?? "")),
    }),
  );
  return answer.trim();
}

/** Nothing typed keeps what there is; a key that could be read on the way is refused before it is sent. */
export async function askKey(
  url: string,
  { stored, insecureHttp }: { stored: boolean; insecureHttp: boolean },
): Promise<string | undefined> {
  const answer = orCancel(
    await password({
      message: stored ? "API key (Enter keeps the stored one)" : "API key (Enter for none)",
      validate: (value) => {
        const key = value?.trim() ?? "";
        if (key === "") return undefined;
        if (!/^[\x21-\x7e]+$/.test(key)) {
          return "The key has a space or a control character in it; copy it again.";
        }
        if (!keyAllowed(url, insecureHttp)) {
          return `${url} is plain http to another machine: use https, or start setup with --insecure-http.`;
        }
        return undefined;
      },
    }),
  );
  return answer?.trim() || undefined;
}

export async function askAgent(before: string): Promise<string> {
  const answer = orCancel(
    await text({
      message: "Agent id: whose memory is this?",
      // Not filled in: people type over it, and would write to the agent "defaultlaptop".
      placeholder: before,
      defaultValue: before,
      validate: (value) => value ? problemOf(checkAgentId(value)) : undefined,
    }),
  );
  return answer.trim();
}

/** Those that are in use here are chosen already. */
export async function askWhich(
  found: readonly FoundHarness[],
  ui: Pick<Ui, "path">,
): Promise<readonly FoundHarness[]> {
  const used = found.filter(({ program, connected }) => program || connected);
  const chosen = orCancel(
    await multiselect({
      message: "Which ones shall be connected? (space to choose, enter to go on)",
      options: found.map((each) => ({
        value: each.harness.id,
        label: `${each.harness.displayName} (${aboutHarness(each, ui)})`,
      })),
      initialValues: (used.length > 0 ? used : found).map(({ harness }) => harness.id),
      required: true,
    }),
  );
  return found.filter(({ harness }) => chosen.includes(harness.id));
}

export async function askGo(question: string): Promise<boolean> {
  return orCancel(await confirm({ message: question }));
}
