import type { Format } from "../edit/edit.ts";

type Random = () => number;

/** One change that a person, an editor or a harness makes to a config. */
export type UserEdit = (text: string, format: Format, random: Random) => string;

const commentOf = (format: Format, random: Random) => {
  const text = `mine ${Math.floor(random() * 1e6)}`;
  return format === "yaml" || format === "toml"
    ? `# ${text}`
    : random() < 0.5
    ? `// ${text}`
    : `/* ${text} */`;
};

/** The start of a random line; every second one is near what we wrote. */
function someLine(text: string, random: Random): number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)].filter((at) =>
    at < text.length
  );
  const ours = starts.filter((at) => text.slice(Math.max(0, at - 80), at + 80).includes("signet"));
  const from = random() < 0.5 && ours.length > 0 ? ours : starts;
  return from[Math.floor(random() * from.length)] ?? 0;
}

const ownKey = (format: Format, random: Random) => {
  const name = `zz_${Math.floor(random() * 1e6)}`;
  return format === "yaml" ? `${name}: 1` : format === "toml" ? `${name} = 1` : `"${name}": 1,`;
};

export const USER_EDITS: Record<string, UserEdit> = {
  nothing: (text) => text,
  "a comment on its own line": (text, format, random) => {
    if (format === "json") return text;
    const at = someLine(text, random);
    const indent = /^[ \t]*/.exec(text.slice(at))?.[0] ?? "";
    return `${text.slice(0, at)}${indent}${commentOf(format, random)}\n${text.slice(at)}`;
  },
  "a comment at the end of a line": (text, format, random) => {
    if (format === "json") return text;
    const at = text.indexOf("\n", someLine(text, random));
    if (at < 1) return text;
    const end = text[at - 1] === "\r" ? at - 1 : at;
    return `${text.slice(0, end)} ${commentOf(format, random)}${text.slice(end)}`;
  },
  "a key at the top": (text, format, random) => {
    const key = ownKey(format, random);
    if (format === "yaml" || format === "toml") {
      const at = text.startsWith("\uFEFF") ? 1 : 0;
      return /^\uFEFF?(?:---|\{)/.test(text) ? text : `${text.slice(0, at)}${key}\n${text.slice(at)}`;
    }
    return text.replace(/\{(?!\s*\})/, `{ ${key} `);
  },
  "a `|` value at the end": (text, format) =>
    format === "yaml" && !text.trimStart().startsWith("{") && !/\n\.\.\./.test(text)
      ? `${text}${text.endsWith("\n") || text === "" ? "" : "\n"}zz_notes: |\n  text\n`
      : text,
  "no final line break": (text) => text.replace(/[\r\n]+$/, ""),
  "a final line break": (text) => text.endsWith("\n") ? text : text + "\n",
  "a blank line": (text, _, random) => {
    const at = someLine(text, random);
    return `${text.slice(0, at)}\n${text.slice(at)}`;
  },
  "our timeout": (text) => text.replace(/(timeout['"]?\s*[:=]\s*)5\b/, "$130"),
  "a key in our entry": (text, format) =>
    format === "toml"
      ? text.replace("[servers.signet]\n", "[servers.signet]\nzz_mine = 1\n")
      : format === "yaml"
      ? text.replace(/^( +)timeout: 5$/m, "$&\n$1zz_mine: 1")
      : text.replace(/(['"]?timeout['"]?: ?5)\b/, '$1, "zz_mine": 1'),
  "a line less": (text, _, random) => {
    const at = someLine(text, random);
    const end = text.indexOf("\n", at);
    return end === -1 ? text : text.slice(0, at) + text.slice(end + 1);
  },
  "a line twice": (text, _, random) => {
    const at = someLine(text, random);
    const end = text.indexOf("\n", at);
    return end === -1 ? text : text.slice(0, end + 1) + text.slice(at);
  },
  "other line breaks": (text) =>
    text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n"),
  "a reformat by the harness": (text, format) => {
    if (format !== "json") return text;
    try {
      return JSON.stringify(JSON.parse(text.replace(/^\uFEFF/, "")), null, 4) + "\n";
    } catch {
      return text;
    }
  },
};
