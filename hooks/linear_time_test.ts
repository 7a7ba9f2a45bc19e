import { DEEP } from "../connectors/base/testing/deep.ts";
import { assertLinear, growingText } from "../connectors/base/testing/growth.ts";
import { draw, SEEDED, seededRandom } from "../connectors/base/testing/seed.ts";
import { readYaml, YamlProblem } from "./agents/config/read_yaml.ts";
import { parseShell } from "./agents/locks/shell/parse.ts";
import { fit, injectable } from "./context_text/inject.ts";
import { plainText } from "./context_text/plain_text.ts";
import { removeText } from "./context_text/remove_text.ts";
import { BLOCK_END, BLOCK_START, stripSignetBlocks } from "./context_text/signet_block.ts";
import { isStub, promptText, sessionStartText } from "./context_text/start_text.ts";
import { stripControls } from "./context_text/strip_controls.ts";
import { stripTags } from "./context_text/strip_tags.ts";
import { truncate } from "./context_text/truncate.ts";
import { cleanAnswer } from "./daemon/clean_answer.ts";
import { describe } from "./daemon/describe.ts";
import { remoteOf, withoutCredentials } from "./daemon/git_remote.ts";
import { checkAgentId, checkUrl } from "./daemon/origin.ts";
import { KeyRedactor } from "./daemon/redact_key.ts";
import { formatLine } from "./log.ts";
import { normalize, workingDirectory } from "./normalize.ts";
import { redact } from "./redact.ts";
import { parseEntry } from "./spool/spool.ts";
import { absolutePath } from "./state/absolute_path.ts";
import { parentDir } from "./state/paths.ts";
import { parseStamp } from "./state/stale.ts";
import { textMessages } from "./transcript/sent_form.ts";
import { readLine } from "./transcript/transcript_line.ts";
import { cleanTranscript } from "./transcript/transcript.ts";

const TAGS = ["system-reminder", "hook_context"];
const PROFILE = { injectedTags: TAGS };
const LINUX = { os: "linux" as const, env: (name: string) => name === "HOME" ? "/home/u" : undefined };
const WINDOWS = { ...LINUX, os: "windows" as const };
const redactor = new KeyRedactor("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
const failed = (error: string) => ({ kind: "http", status: 400, error, json: true, ms: 1 }) as const;

/** Every function on the hook path that works on text from a user, a harness, a repository or a daemon. */
const FUNCTIONS: Record<string, (text: string) => unknown> = {
  stripTags: (text) => stripTags(text, TAGS),
  stripControls,
  plainText,
  stripSignetBlocks,
  "removeText, a part of equal letters": (text) => removeText(text, `b${"a".repeat(text.length / 10)}`),
  "removeText, a part of spaces": (text) => removeText(text, `${" ".repeat(text.length / 10)}x`),
  injectable: (text) => injectable(text, 9000),
  fit: (text) => fit(text, 9000),
  truncate: (text) => truncate(text, text.length - 1),
  isStub: (text) => isStub({ inject: text }),
  sessionStartText: (text) => sessionStartText({ inject: text }),
  promptText: (text) => promptText({ inject: text }),
  redact,
  "redact, before a secret": (text) => redact(`${text} https://u:p@h token=x`),
  describe: (text) => describe(failed(text), "http://127.0.0.1:3850"),
  formatLine: (detail) => formatLine({ at: "", event: "e", outcome: "o", ms: 1, session: detail, detail }),
  KeyRedactor: (text) => redactor.redact(text),
  cleanAnswer: (text) => cleanAnswer({ inject: text }, redactor),
  remoteOf,
  "remoteOf, a url": (text) => remoteOf(`[remote "origin"]\nurl = a${text}b`),
  "remoteOf, a name": (text) => remoteOf(`[remote "${text}"]\nurl = a`),
  withoutCredentials,
  "withoutCredentials of a URL": (text) => withoutCredentials(`https://${text}@h/p`),
  checkUrl,
  "checkUrl, a host": (text) => checkUrl(`http://${text}`),
  checkAgentId,
  parentDir,
  "absolutePath, absolute": (text) => absolutePath(`/${text}`, LINUX),
  "absolutePath, relative": (text) => absolutePath(text, LINUX, "/home/u/p"),
  "absolutePath on Windows": (text) => absolutePath(text, WINDOWS, "C:\\p"),
  "normalize a prompt": (text) => normalize(PROFILE, "user-prompt-submit", { prompt: text }, "/p"),
  "normalize messages": (text) =>
    normalize(PROFILE, "session-end", { messages: [...text.slice(0, 5000)], transcript: [text, text] }, "/p"),
  workingDirectory: (text) => workingDirectory({ cwd: text }, undefined),
  cleanTranscript: (text) => cleanTranscript(text, PROFILE),
  "cleanTranscript of Codex": (text) => cleanTranscript(text, { ...PROFILE, transcript: "codex" }),
  textMessages,
  "textMessages, labels": (text) => textMessages(text.replaceAll("a", "\nUser: ")),
  "a line of a transcript": (text) => readLine("claude-code", { type: "user", message: { content: text } }),
  parseEntry,
  "parseEntry, fields": (text) =>
    parseEntry(JSON.stringify({ kind: "remember", id: text, harness: text, agentId: text, body: {} })),
  parseStamp,
  readYaml: yaml((text) => text),
  "readYaml, a value": yaml((text) => `a: ${text}x`),
  "readYaml, an item": yaml((text) => `a:\n  - ${text}x`),
  "readYaml, a list": yaml((text) => `a: [${text}x]`),
  "readYaml, a text": yaml((text) => `a: |\n  ${text}x\nb: c`),
  "readYaml, lines": yaml((text) => `a: |\n  b${text.replaceAll("a", "\n")}\n  c`),
  "readYaml, quotes": yaml((text) => `a: '${text}x`),
  "readYaml, escapes": yaml((text) => `a: "${text}x`),
  // Of a longer text the reader says that it is very long.
  "parseShell, stars": (text) => parseShell([...text.slice(0, text.length / 10)].join("*")),
  "parseShell, quotes": (text) => parseShell([...text.slice(0, text.length / 10)].join("''")),
};

/** Reads a file of this form; most of them have an error. */
function yaml(form: (text: string) => string): (text: string) => unknown {
  return (text) => {
    try {
      return readYaml(form(text));
    } catch (error) {
      if (!(error instanceof YamlProblem)) throw error;
      return undefined;
    }
  };
}

/** What text may consist of to make an expression try again and again. */
const TOKENS = [
  " ",
  "\t",
  "\n",
  "\r",
  "a",
  "a.",
  "A-",
  "é",
  "<",
  ">",
  "<system-reminder",
  "<system-reminder>",
  "</system-reminder>",
  "<system-reminder>x</system-reminder>",
  "<system-reminder></system-reminder> \n",
  BLOCK_START,
  BLOCK_END,
  BLOCK_START + BLOCK_END,
  "<!-- SIGNET:",
  "\u001b",
  "\u001b[",
  "\u001b[1;",
  "\u001b]52;c;",
  "\u001bP",
  "\u009b",
  "\u0000",
  "\u202e",
  "\ud800",
  "/",
  "\\",
  "../",
  "./",
  ":",
  "::",
  "a::",
  "@",
  "://",
  "a://",
  "a@",
  "a:b@",
  "?",
  "#",
  "\n# ",
  "\n### x",
  "sig_sk_",
  "sig_sk_a",
  "bearer ",
  "bearer",
  "basic ",
  "token",
  "token=",
  "api_key : ",
  '"',
  "'",
  "[",
  "]",
  '[remote "',
  '[remote "a"]\n',
  "\nurl = ",
  "url",
  "=",
  ";",
  " #",
  "{",
  "}",
  '{"a":',
  "[memory active",
  "<signet-memory-context>",
] as const;

const random = seededRandom();
const anyToken = () => TOKENS[Math.floor(random() * TOKENS.length)] ?? " ";

function repeated(unit: string): (size: number) => string {
  return (size) => unit.repeat(Math.ceil(size / unit.length));
}

const between = (token: string) => (size: number) => `a${repeated(token)(size)}b`;

type Shape = readonly [name: string, text: (size: number) => string];

const SHAPES: readonly Shape[] = [
  ...TOKENS.map((token): Shape => [JSON.stringify(token), between(token)]),
  // Everything opens before anything closes.
  [
    "nested blocks",
    (size) => repeated(BLOCK_START)(size / 2) + repeated(BLOCK_END)(size / 2),
  ],
  [
    "nested tags",
    (size) => repeated("<system-reminder>")(size / 2) + repeated("</system-reminder>")(size / 2),
  ],
  ...Array.from({ length: 15 }, (): Shape => {
    const unit = anyToken() + anyToken();
    return [JSON.stringify(unit), repeated(unit)];
  }),
];

/** Each function gets other shapes, or all of them in a deep run. */
const TRIED = DEEP ? Infinity : 3;

for (const [name, work] of Object.entries(FUNCTIONS)) {
  const shapes = draw(SHAPES, TRIED, random);
  Deno.test(`${name}: the time grows linearly from 10 kB to 1 MB ${SEEDED}`, () => {
    for (const [shape, text] of shapes) assertLinear(`${name} of ${shape}`, growingText(text), work);
  });
}
