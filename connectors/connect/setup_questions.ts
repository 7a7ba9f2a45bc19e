import { confirm, isCancel, multiselect, password, text } from "@clack/prompts";
import { checkAgentId, checkUrl, keyAllowed } from "../../hooks/daemon/settings.ts";
import { EXIT, UserError } from "../base/cli/command.ts";
import type { Ui } from "../base/cli/ui.ts";
import { describeHarness, type FoundHarness } from "./find_harnesses.ts";

function isAnswer<T>(answer: T): answer is Exclude<T, symbol> {
  return !isCancel(answer);
}

/** Ctrl-C or Escape at a question: nothing is written before the last answer. */
function orCancel<T>(answer: T): Exclude<T, symbol> {
  if (!isAnswer(answer)) throw new UserError("Cancelled. Nothing was written.", EXIT.failed);
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

/** Empty input keeps the stored key. A key is refused before it would be sent over plain HTTP. */
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
          return "The key contains a space or a control character; copy it again.";
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
      message: "Agent id (whose memory to use)",
      // Not pre-filled: typing after it would give "defaultlaptop".
      placeholder: before,
      defaultValue: before,
      validate: (value) => value ? problemOf(checkAgentId(value)) : undefined,
    }),
  );
  return answer.trim();
}

/** Harnesses that are in use are preselected. */
export async function askWhich(
  found: readonly FoundHarness[],
  ui: Pick<Ui, "path">,
): Promise<readonly FoundHarness[]> {
  const used = found.filter(({ program, connected }) => program || connected);
  const chosen = orCancel(
    await multiselect({
      message: "Which harnesses should be connected? (Space to select, Enter to continue)",
      options: found.map((each) => ({
        value: each.harness.id,
        label: `${each.harness.displayName} (${describeHarness(each, ui)})`,
      })),
      initialValues: (used.length > 0 ? used : found).map(({ harness }) => harness.id),
      required: true,
    }),
  );
  return found.filter(({ harness }) => chosen.includes(harness.id));
}

export async function askToContinue(question: string): Promise<boolean> {
  return orCancel(await confirm({ message: question }));
}
