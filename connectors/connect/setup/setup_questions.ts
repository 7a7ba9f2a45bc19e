import { isCancel, multiselect, password, selectKey, text } from "@clack/prompts";
import { checkAgentId } from "../../../hooks/daemon/settings.ts";
import { EXIT, UserError } from "../../base/cli/command.ts";
import type { Ui } from "../../base/cli/output/ui.ts";
import { addressProblem } from "./daemon_address.ts";
import { describeHarness, type FoundHarness } from "../find_harnesses.ts";

function isAnswer<T>(answer: T): answer is Exclude<T, symbol> {
  return !isCancel(answer);
}

/** Ctrl-C or Escape at a question: nothing is written before the last answer. */
function orCancel<T>(answer: T): Exclude<T, symbol> {
  if (!isAnswer(answer)) throw new UserError("Cancelled. Nothing was written.", EXIT.interrupted);
  return answer;
}

const problemOf = (checked: object) => "problem" in checked ? String(checked.problem) : undefined;

/** The address is not pre-filled: typing after it would give two addresses in one. */
export async function askUrl(before: string, insecureHttp: boolean): Promise<string> {
  const answer = orCancel(
    await text({
      message: "Where is your Signet daemon?",
      placeholder: before,
      defaultValue: before,
      validate: (value) => addressProblem(value?.trim() || before, insecureHttp),
    }),
  );
  return answer.trim();
}

/** Empty input keeps the stored key, if there is one. */
export async function askKey(stored: string | undefined): Promise<string> {
  const answer = orCancel(
    await password({
      message: stored ? "API key (Enter keeps the stored one)" : "API key",
      validate: (value) => {
        const key = value?.trim() ?? "";
        if (key === "") return stored ? undefined : "This daemon needs a key.";
        return /^[\x21-\x7e]+$/.test(key)
          ? undefined
          : "The key contains a space or a control character; copy it again.";
      },
    }),
  );
  return answer?.trim() || stored || "";
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

/** Enter alone is no answer: it adds hooks that run at every tool call, so the user decides. */
export async function askAgents(names: readonly string[]): Promise<boolean> {
  const answer = orCancel(
    await text({
      message: `Should agents in ${names.join(", ")} be able to find and message each other? (y or n)`,
      placeholder: "adds hooks that run at every tool call; Codex asks you once to trust them",
      validate: (value) => yesOrNo(value) === undefined ? "Type y or n." : undefined,
    }),
  );
  return yesOrNo(answer) === true;
}

function yesOrNo(text: string | undefined): boolean | undefined {
  const word = text?.trim().toLowerCase() ?? "";
  return /^y(es)?$/.test(word) ? true : /^no?$/.test(word) ? false : undefined;
}

/** Enter means yes. */
export async function askToWrite(question: string): Promise<"yes" | "diff" | "no"> {
  const answer = orCancel(
    await selectKey({
      message: question,
      options: [
        { value: "y", label: "Yes, write them" },
        { value: "d", label: "Show the diff first" },
        { value: "n", label: "No, leave everything as it is" },
      ],
    }),
  );
  return answer === "d" ? "diff" : answer === "n" ? "no" : "yes";
}
