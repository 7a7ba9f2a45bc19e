import fc from "fast-check";
import type { Format, Json } from "../edit/edit.ts";
import { isMap, type JsonMap } from "../edit/json_value.ts";

/** Layout decisions, taken one after the other; all zeros is the plainest layout, so failures shrink to it. */
export class Choices {
  #at = 0;
  constructor(readonly numbers: readonly number[]) {}
  /** 0 … n-1. */
  next(n: number): number {
    if (this.numbers.length === 0) return 0;
    return (this.numbers[this.#at++ % this.numbers.length] ?? 0) % n;
  }
  pick<T>(first: T, ...others: T[]): T {
    return [first, ...others][this.next(others.length + 1)] ?? first;
  }
  /** True once in `n`. */
  rarely(n: number): boolean {
    return this.next(n) === n - 1;
  }
}

const KEYS = [
  "model",
  "a",
  "b-c",
  "hooks2",
  "env",
  "name",
  "on",
  "x y",
  "über",
  "it's",
  'q"q',
  "1",
  "signet",
  "true",
  "<<x",
  "#no",
  "a.b",
];
const TEXTS = [
  "",
  "x",
  "hello world",
  "signet",
  "echo 'hi'",
  'say "x"',
  "a: b",
  "- no",
  "# no comment",
  "${HOME}/x",
  "C:\\dir",
  "über 🦆",
  "null",
  "12",
  "a,b",
  "{x}",
  "// no",
];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...TEXTS),
  fc.constantFrom<Json>(0, 1, -7, 3.5, 100000, true, false),
  fc.string({ maxLength: 8 }).map((text) => text.replace(/[^\x20-\x7e]/g, "")),
);
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("tree"), { maxKeys: 3 }),
  ),
}));
const handler: fc.Arbitrary<Json> = fc.record({
  command: fc.constantFrom("lint", "signet hooked", "echo hi"),
  timeout: fc.nat(90),
});
const groups: fc.Arbitrary<Json> = fc.array(
  fc.record({ matcher: fc.constantFrom("", "*", "Bash"), hooks: fc.array(handler, { maxLength: 2 }) }),
  { maxLength: 3 },
);

/** What a user may have where our hooks go. `nothing` is a null, where the format has one. */
const event: fc.Arbitrary<Json> = fc.oneof(
  fc.constant<Json>(null),
  fc.constant<Json>([]),
  fc.constantFrom<Json>("echo one", "make lint"),
  handler,
  fc.array(fc.constantFrom<Json>("echo one", "echo two"), { maxLength: 3 }),
  fc.array(handler, { maxLength: 3 }),
);
const hooks: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, {}),
  fc.dictionary(fc.constantFrom("on_session_start", "on_other", "on_session_end"), event, { maxKeys: 3 }),
);
const servers: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, {}),
  fc.dictionary(
    fc.constantFrom("other", "files"),
    fc.record({
      command: fc.constant("x"),
      args: fc.array(fc.constantFrom("-v", "--all"), { maxLength: 2 }),
    }),
    {
      maxKeys: 2,
    },
  ),
);

/** A config as someone might have it: things of their own, and things where ours go. */
const config: fc.Arbitrary<JsonMap> = fc.tuple(
  fc.dictionary(fc.constantFrom(...KEYS), tree, { maxKeys: 4 }),
  fc.option(hooks, { nil: undefined }),
  fc.option(fc.dictionary(fc.constantFrom("SessionStart", "Stop"), groups, { maxKeys: 2 }), {
    nil: undefined,
  }),
  fc.option(servers, { nil: undefined }),
  fc.nat(3),
).map(([own, hooks, groups, servers, turn]) => {
  const all: [string, Json][] = Object.entries(own);
  if (hooks !== undefined) all.push(["hooks", hooks]);
  if (groups !== undefined) all.push(["groups", groups]);
  if (servers !== undefined) all.push(["servers", servers]);
  return Object.fromEntries([...all.slice(turn), ...all.slice(0, turn)]);
});

export interface RandomDoc {
  readonly value: JsonMap;
  readonly choices: readonly number[];
}

export const randomDoc: fc.Arbitrary<RandomDoc> = fc.record({
  value: config,
  choices: fc.array(fc.nat(59), { maxLength: 40 }),
});

/** Writes a document in a format, with comments and layout by choice. */
export function write(format: Format, doc: RandomDoc): string {
  const choices = new Choices(doc.choices);
  const body = format === "yaml"
    ? yaml(doc.value, choices)
    : format === "toml"
    ? toml(doc.value, choices)
    : json(format, doc.value, choices);
  const ended = choices.rarely(4) ? body.replace(/\n+$/, "") : body;
  const broken = choices.rarely(5) ? ended.replaceAll("\n", "\r\n") : ended;
  return choices.rarely(8) ? "\uFEFF" + broken : broken;
}

const NOTES = ["note", "TODO: later", 'it\'s "quoted"', "{ [ not: code", "a, b = c"];

function json(format: "json" | "jsonc" | "json5", value: Json, choices: Choices): string {
  const comments = format !== "json";
  const five = format === "json5";
  const step = choices.pick("  ", "    ", "\t", "   ", "");
  const tight = choices.rarely(6);
  const note = (indent: string) => {
    if (!comments || !choices.rarely(4)) return "";
    const text = NOTES[choices.next(NOTES.length)] ?? "";
    return choices.pick(
      `// ${text}\n${indent}`,
      `/* ${text} */ `,
      `/* ${text}\n${indent} more */\n${indent}`,
    );
  };
  const string = (text: string) =>
    five && choices.rarely(3)
      ? `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(text);
  const key = (text: string) => five && /^[a-z_]\w*$/i.test(text) && choices.rarely(2) ? text : string(text);
  const write = (value: Json, indent: string): string => {
    if (typeof value === "string") return string(value);
    if (typeof value === "number" && five && Number.isInteger(value) && value > 0 && choices.rarely(4)) {
      return choices.pick(`+${value}`, `0x${value.toString(16)}`, `${value}.`);
    }
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const list = Array.isArray(value);
    const inner = indent + step;
    const [open, close] = list ? "[]" : "{}";
    const parts = list
      ? value.map((item) => write(item, inner))
      : Object.entries(value).map(([name, item]) =>
        key(name) + choices.pick(": ", ":", " : ", ": ") + note(inner) + write(item, inner)
      );
    const trailing = comments && parts.length > 0 && choices.rarely(3) ? "," : "";
    if (tight || choices.rarely(4)) {
      return open + choices.pick("", " ") + parts.join(choices.pick(", ", ",")) + trailing +
        choices.pick("", " ") + close;
    }
    if (parts.length === 0) {
      return open + (choices.rarely(3) ? note(inner) : choices.pick("", "", " ", `\n${indent}`)) + close;
    }
    const tail = comments && choices.rarely(5) ? " // at the end" : "";
    return `${open}\n${
      parts.map((part) => inner + note(inner) + part).join(",\n")
    }${trailing}${tail}\n${indent}${close}`;
  };
  return note("") + write(value, "") + choices.pick("\n", "", "\n\n") +
    (comments && choices.rarely(6) ? "// the end\n" : "");
}

function yaml(value: JsonMap, choices: Choices): string {
  const step = choices.pick(2, 4, 3, 1);
  const dash = choices.pick(2, 0, step);
  const plain = (text: string) =>
    /^[A-Za-z][A-Za-z ]*[A-Za-z]$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text);
  const string = (text: string, key: boolean) => {
    if (plain(text) && !choices.rarely(3)) return text;
    return choices.rarely(2) || /[\\]/.test(text) && key
      ? `'${text.replaceAll("'", "''")}'`
      : JSON.stringify(text);
  };
  const note = (pad: string) =>
    choices.rarely(5) ? `${pad}# ${NOTES[choices.next(NOTES.length)]}\n` : choices.rarely(9) ? "\n" : "";
  const tail = () => choices.rarely(5) ? ` # ${NOTES[choices.next(NOTES.length)]}` : "";
  const flow = (value: Json): string => {
    if (Array.isArray(value)) {
      return `[${value.map(flow).join(choices.pick(", ", ","))}${
        value.length > 0 && choices.rarely(6) ? "," : ""
      }]`;
    }
    if (isMap(value)) {
      return `{${choices.pick("", " ")}${
        Object.entries(value).map(([key, item]) => `${string(key, true)}: ${flow(item)}`).join(", ")
      }}`;
    }
    return typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value);
  };
  const block = (value: Json, column: number, key: boolean): string => {
    const pad = " ".repeat(column);
    if (Array.isArray(value) && value.length > 0 && !choices.rarely(4)) {
      return `${tail()}\n` + value.map((item) => note(pad) + `${pad}-` + nested(item, column)).join("");
    }
    if (isMap(value) && Object.keys(value).length > 0 && (key || !choices.rarely(3))) {
      if (key && choices.rarely(5)) return ` ${flow(value)}${tail()}\n`;
      return `${tail()}\n` + entries(value, column);
    }
    if (value === null) return choices.pick("", " null", " ~") + tail() + "\n";
    if (typeof value === "string" && key && /^[\w ]+$/.test(value) && choices.rarely(6)) {
      const deep = " ".repeat(column + step);
      return ` ${choices.pick("|", ">", "|-", "|+")}\n${deep}${value.trim() || "x"}\n${deep}more\n`.replace(
        /\n +\n/,
        "\n",
      );
    }
    return ` ${typeof value === "string" ? string(value, false) : flow(value)}${tail()}\n`;
  };
  const nested = (item: Json, column: number): string => {
    if (isMap(item) && Object.keys(item).length > 0 && !choices.rarely(3)) {
      const inner = column + 2;
      return " " + entries(item, inner, true).slice(inner);
    }
    return ` ${typeof item === "string" ? string(item, false) : flow(item)}${tail()}\n`;
  };
  /** The values of anchors, defined before everything else. */
  let anchors = "";
  const entries = (map: JsonMap, column: number, inline = false): string => {
    const pad = " ".repeat(column);
    return Object.entries(map).map(([key, item], i) => {
      const inner = column + (Array.isArray(item) ? dash : step);
      const start = (inline && i === 0 ? "" : note(pad)) + pad + string(key, true) + ":";
      if (/^on_/.test(key) && item !== null && choices.rarely(5)) {
        const name = `a${anchors.length}`;
        anchors += `x-${name}: &${name} ${flow(item)}\n`;
        return `${start} *${name}${tail()}\n`;
      }
      if (key === "hooks" && isMap(item) && Object.keys(item).length > 0 && choices.rarely(5)) {
        const name = `b${anchors.length}`;
        anchors += `x-${name}: &${name} {on_other: [merged], on_session_end: ${
          choices.pick("merged", "[merged]", "{command: merged}")
        }}\n`;
        return `${start}${tail()}\n${" ".repeat(inner)}<<: *${name}\n${entries(item, inner)}`;
      }
      return start + block(item, inner, true);
    }).join("");
  };
  const head = choices.rarely(8) ? "---\n" : "";
  if (Object.keys(value).length === 0) return head + choices.pick("", "# nothing yet\n", "{}\n");
  const body = entries(value, 0) + note("");
  return head + anchors + body;
}

function toml(value: JsonMap, choices: Choices): string {
  const key = (text: string) =>
    /^[\w-]+$/.test(text) && !/[^\x20-\x7e]/.test(text)
      ? text
      : choices.rarely(2) && !text.includes("'")
      ? `'${text}'`
      : JSON.stringify(text);
  const string = (text: string) =>
    !text.includes("'") && choices.rarely(3)
      ? `'${text}'`
      : choices.rarely(8)
      ? `"""\n${JSON.stringify(text).slice(1, -1)}"""`
      : JSON.stringify(text);
  const note = () => choices.rarely(5) ? `# ${NOTES[choices.next(NOTES.length)]}\n` : "";
  const tail = () => choices.rarely(5) ? ` # ${NOTES[choices.next(NOTES.length)]}` : "";
  const inline = (value: Json): string => {
    if (value === null) return '""';
    if (Array.isArray(value)) {
      if (choices.rarely(3)) return `[\n${value.map((item) => `  ${inline(item)},${tail()}\n`).join("")}]`;
      return `[${value.map(inline).join(", ")}]`;
    }
    if (isMap(value)) {
      return `{ ${
        Object.entries(value).map(([name, item]) => `${key(name)} = ${inline(item)}`).join(", ")
      } }`;
    }
    return typeof value === "string" ? string(value) : JSON.stringify(value);
  };
  const table = (path: readonly string[], map: JsonMap): { own: string; rest: string } => {
    let own = "";
    let rest = "";
    for (const [name, item] of Object.entries(map)) {
      if (item === null) continue;
      const here = [...path, name];
      const head = here.map(key).join(".");
      const tables = Array.isArray(item) && item.length > 0 && item.every(isMap);
      if (isMap(item) && !choices.rarely(3)) {
        const inner = Object.entries(item).filter(([, value]) => value !== null);
        if (path.length === 0 && inner.length > 0 && choices.rarely(4)) {
          for (const [sub, value] of inner) {
            own += `${note()}${key(name)}.${key(sub)} = ${inline(value)}${tail()}\n`;
          }
          continue;
        }
        const within = table(here, item);
        const headed = within.own !== "" || within.rest === "" || choices.rarely(2);
        rest += (headed ? `${note()}[${head}]${tail()}\n` : "") + within.own + choices.pick("", "\n") +
          within.rest;
      } else if (tables && path.length < 2 && choices.rarely(2)) {
        for (const one of item) {
          const within = isMap(one) ? table(here, one) : { own: "", rest: "" };
          rest += `${note()}[[${head}]]\n${within.own}${within.rest}`;
        }
      } else own += `${note()}${key(name)}${choices.pick(" = ", "=", "  =  ")}${inline(item)}${tail()}\n`;
    }
    return { own, rest };
  };
  const all = table([], value);
  return note() + all.own + choices.pick("", "\n") + all.rest;
}
