/** A fence of a document that is marked to be run, and the transcript below it, if there is one. */
export interface Block {
  readonly name: string;
  /** It asks questions, so it runs in a terminal. */
  readonly terminal: boolean;
  readonly line: number;
  readonly script: string;
  readonly transcript?: string;
}

/**
 * The `sh` fences under a `<!-- run: NAME -->` mark, in order. A fence without
 * a language right after one is what a person sees then.
 */
export function runnable(text: string): Block[] {
  const mark =
    /^<!-- run( in a terminal)?: (.+?) -->\n+```sh\n([\s\S]*?)^```\n(?:\n+```\n([\s\S]*?)^```\n)?/gm;
  return [...text.matchAll(mark)].map((
    { 0: whole, 1: terminal, 2: name = "", 3: script = "", 4: transcript, index },
  ) => ({
    name,
    terminal: terminal !== undefined,
    line: text.slice(0, index).split("\n").length + whole.slice(0, whole.indexOf("```")).split("\n").length -
      1,
    script,
    ...transcriptOf(text, name, transcript),
  }));
}

/** The fence right after the commands, or the one under `<!-- shows: NAME -->`. */
function transcriptOf(text: string, name: string, below: string | undefined): { transcript?: string } {
  const later = /^<!-- shows: (.+?) -->\n+```\n([\s\S]*?)^```\n/gm;
  const transcript = below ?? [...text.matchAll(later)].find(([, shown]) => shown === name)?.[2];
  return transcript === undefined ? {} : { transcript };
}

/** How many marks there are: a mark without a fence is an error. */
export function marks(text: string): number {
  return text.match(/^<!-- run(?: in a terminal)?: /gm)?.length ?? 0;
}

/**
 * The lines of a transcript that the output does not have. What differs from
 * run to run does not count: numbers, ids and keys; and `…` matches anything.
 */
export function missingLines(transcript: string, output: string): string[] {
  const steady = (text: string) =>
    text.replace(/sig_sk_[\w-]*/g, "KEY").replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "ID")
      .replace(/https?:\/\/[\w.-]+:\d+/g, "URL").replace(/\d+/g, "N").trimEnd();
  const said = output.split("\n").map(steady);
  return transcript.split("\n").filter((line) => {
    const parts = steady(line.replace(/sig_sk_\S*/g, "sig_sk_x")).split("…");
    const pattern = new RegExp(
      `^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`,
    );
    return line.trim() !== "" && !said.some((each) => pattern.test(each));
  });
}
