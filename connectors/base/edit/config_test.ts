import { assertEquals } from "@std/assert";
import { applyEdits, removeEdits } from "./config.ts";
import type { Edit, Format, Json } from "./edit.ts";
import { isMap } from "./json_value.ts";
import { verify } from "../install/verify.ts";

const owns = (value: Json) =>
  value === "OUR-hook" ||
  (isMap(value) && typeof value.command === "string" && value.command.startsWith("OUR"));
const item = (timeout = 5): Edit => ({
  kind: "item",
  path: ["hooks", "start"],
  value: { command: "OUR-hook", timeout },
  text: "OUR-hook",
  owns,
});
const group = (timeout = 5): Edit => ({
  kind: "item",
  path: ["hooks", "Start"],
  value: { hooks: [{ type: "command", command: "OUR-hook", timeout }] },
  inner: "hooks",
  owns,
});
const entry: Edit = { kind: "entry", path: ["mcp", "signet"], value: { command: "OUR-mcp" }, owns };

interface Case {
  readonly name: string;
  readonly format: Format;
  readonly edits: Edit[];
  readonly before: string;
  readonly after: string;
  /** What taking ours out by its marks leaves, where it is not `before`. */
  readonly left?: string;
}

const CASES: Case[] = [
  // YAML, as PyAgent's users write it.
  {
    name: "an empty file",
    format: "yaml",
    edits: [item()],
    before: "",
    after: "hooks:\n  start:\n    - command: OUR-hook\n      timeout: 5\n",
  },
  {
    name: "a key with nothing in it",
    format: "yaml",
    edits: [item()],
    before: "hooks: # mine\nmodel: x\n",
    after: "hooks: # mine\n  start:\n    - command: OUR-hook\n      timeout: 5\nmodel: x\n",
    left: "hooks: {} # mine\nmodel: x\n",
  },
  {
    name: "an empty flow map",
    format: "yaml",
    edits: [item()],
    before: "hooks: {}\n",
    after: "hooks:\n  start:\n    - command: OUR-hook\n      timeout: 5\n",
  },
  {
    name: "an empty list where keys go",
    format: "yaml",
    edits: [item()],
    before: "hooks: []\n",
    after: "hooks:\n  start:\n    - command: OUR-hook\n      timeout: 5\n",
    left: "hooks: {}\n",
  },
  {
    name: "an event with nothing",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start:\n",
    after: "hooks:\n  start:\n    - command: OUR-hook\n      timeout: 5\n",
    left: "hooks:\n  start: []\n",
  },
  {
    name: "an event with an empty list",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start: [] # none\n",
    after: "hooks:\n  start: # none\n    - command: OUR-hook\n      timeout: 5\n",
  },
  {
    name: "one string becomes a list of strings",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n    start: lint  # mine\n",
    after: "hooks:\n    start:\n        - lint  # mine\n        - OUR-hook\n",
  },
  {
    name: "one mapping becomes a list of mappings",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start:\n    # why\n    command: lint\n    timeout: 3\n",
    after:
      "hooks:\n  start:\n    # why\n  - command: lint\n    timeout: 3\n  - command: OUR-hook\n    timeout: 5\n",
  },
  {
    name: "one flow mapping",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start: {command: lint}\n",
    after: "hooks:\n  start:\n    - {command: lint}\n    - {command: OUR-hook, timeout: 5}\n",
  },
  {
    name: "a list of strings",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start:\n  - lint\n  # - off\nz: 1\n",
    after: "hooks:\n  start:\n  - lint\n  - OUR-hook\n  # - off\nz: 1\n",
  },
  {
    name: "a list of flow mappings",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start:\n    - {command: a}\n",
    after: "hooks:\n  start:\n    - {command: a}\n    - {command: OUR-hook, timeout: 5}\n",
  },
  {
    name: "all in flow style",
    format: "yaml",
    edits: [item()],
    before: "hooks: {start: [a, b], end: []}\n",
    after: "hooks: {start: [a, b, OUR-hook], end: []}\n",
  },
  {
    name: "an alias of a list gets a copy",
    format: "yaml",
    edits: [item()],
    before: "all: &all [a]\nhooks:\n  start: *all\n",
    after: "all: &all [a]\nhooks:\n  start: [a, OUR-hook]\n",
    left: "all: &all [a]\nhooks:\n  start: [a]\n",
  },
  {
    name: "an alias of one command stays an alias",
    format: "yaml",
    edits: [item()],
    before: "one: &one lint\nhooks:\n  start: *one\n",
    after: "one: &one lint\nhooks:\n  start:\n    - *one\n    - OUR-hook\n",
  },
  {
    name: "what a merge key brings comes along",
    format: "yaml",
    edits: [item()],
    before: "base: &base\n  start: [a]\nhooks:\n  <<: *base\n",
    after: "base: &base\n  start: [a]\nhooks:\n  <<: *base\n  start: [a, OUR-hook]\n",
    left: "base: &base\n  start: [a]\nhooks:\n  <<: *base\n  start: [a]\n",
  },
  {
    name: "CRLF, BOM, no final line break",
    format: "yaml",
    edits: [item()],
    before: "\uFEFFhooks:\r\n  end:\r\n    - x",
    after: "\uFEFFhooks:\r\n  end:\r\n    - x\r\n  start:\r\n    - command: OUR-hook\r\n      timeout: 5",
  },
  {
    name: "a text that keeps its line breaks",
    format: "yaml",
    edits: [item()],
    before: "prompt: |+\n  hello\n\n\n",
    after: "prompt: |+\n  hello\n\n\nhooks:\n  start:\n    - command: OUR-hook\n      timeout: 5\n",
  },
  {
    name: "a document marker and an end marker",
    format: "yaml",
    edits: [entry],
    before: "---\na: 1\n...\n",
    after: "---\na: 1\nmcp:\n  signet:\n    command: OUR-mcp\n...\n",
  },
  {
    name: "an older entry is changed in place",
    format: "yaml",
    edits: [item(9)],
    before: "hooks:\n  start:\n    - command: OUR-hook   # signet\n      timeout: 5\n    - lint\n",
    after: "hooks:\n  start:\n    - command: OUR-hook   # signet\n      timeout: 9\n    - lint\n",
    left: "hooks:\n  start:\n    # signet\n    - lint\n",
  },
  {
    name: "duplicates made by hand collapse",
    format: "yaml",
    edits: [item()],
    before:
      "hooks:\n  start:\n    - {command: OUR-hook, timeout: 5}\n    - lint\n    - command: OUR-hook\n      timeout: 5\n",
    after: "hooks:\n  start:\n    - {command: OUR-hook, timeout: 5}\n    - lint\n",
    left: "hooks:\n  start:\n    - lint\n",
  },
  {
    name: "a user's key in our entry stays",
    format: "yaml",
    edits: [item()],
    before: "hooks:\n  start:\n    - command: OUR-hook\n      timeout: 4\n      enabled: false\n",
    after: "hooks:\n  start:\n    - command: OUR-hook\n      timeout: 5\n      enabled: false\n",
    left: "hooks:\n  start: []\n",
  },
  {
    name: "tags of the user's own",
    format: "yaml",
    edits: [item()],
    before: "key: !env KEY\nhooks:\n  start: [!cmd a]\n",
    after: "key: !env KEY\nhooks:\n  start: [!cmd a, OUR-hook]\n",
  },
  // JSON and its kin.
  {
    name: "groups: ours is a group of its own, last",
    format: "json",
    edits: [group()],
    before: '{\n  "hooks": {\n    "Start": [\n      { "hooks": [{ "command": "lint" }] }\n    ]\n  }\n}\n',
    after:
      '{\n  "hooks": {\n    "Start": [\n      { "hooks": [{ "command": "lint" }] },\n      {\n        "hooks": [\n          {\n            "type": "command",\n            "command": "OUR-hook",\n            "timeout": 5\n          }\n        ]\n      }\n    ]\n  }\n}\n',
  },
  {
    name: "groups: a user's handler in our group stays",
    format: "json",
    edits: [group()],
    before:
      '{"hooks":{"Start":[{"hooks":[{"command":"lint"},{"type":"command","command":"OUR-hook","timeout":5}]}]}}',
    after:
      '{"hooks":{"Start":[{"hooks":[{"command":"lint"},{"type":"command","command":"OUR-hook","timeout":5}]}]}}',
    left: '{"hooks":{"Start":[{"hooks":[{"command":"lint"}]}]}}',
  },
  {
    name: "groups: an older handler is changed in place",
    format: "json",
    edits: [group(7)],
    before:
      '{"hooks":{"Start":[{"hooks":[{"type":"command","command":"OUR-hook","timeout":5}]},{"hooks":[]}]}}',
    after:
      '{"hooks":{"Start":[{"hooks":[{"type":"command","command":"OUR-hook","timeout":7}]},{"hooks":[]}]}}',
    left: '{"hooks":{"Start":[{"hooks":[]}]}}',
  },
  {
    name: "minified",
    format: "json",
    edits: [entry],
    before: '{"a":1}',
    after: '{"a":1,"mcp":{"signet":{"command":"OUR-mcp"}}}',
  },
  {
    name: "tabs",
    format: "json",
    edits: [entry],
    before: '{\n\t"mcp": {\n\t\t"x": {}\n\t}\n}',
    after: '{\n\t"mcp": {\n\t\t"x": {},\n\t\t"signet": {\n\t\t\t"command": "OUR-mcp"\n\t\t}\n\t}\n}',
  },
  {
    name: "a trailing comma stays the style",
    format: "jsonc",
    edits: [entry],
    before: '{\n  "a": 1, // one\n  // "b": 2\n}\n',
    after:
      '{\n  "a": 1, // one\n  // "b": 2\n  "mcp": {\n    "signet": {\n      "command": "OUR-mcp"\n    }\n  },\n}\n',
  },
  {
    name: "a comment after the last value",
    format: "jsonc",
    edits: [entry],
    before: '{\n  "a": 1 // one\n}\n',
    after: '{\n  "a": 1, // one\n  "mcp": {\n    "signet": {\n      "command": "OUR-mcp"\n    }\n  }\n}\n',
  },
  {
    name: "a one-line neighbour stays on its line",
    format: "jsonc",
    edits: [entry],
    before: '{\n  "mcp": { "x": { "command": ["a", "b"] } }\n}\n',
    after: '{\n  "mcp": { "x": { "command": ["a", "b"] }, "signet": {"command": "OUR-mcp"} }\n}\n',
  },
  {
    name: "JSON5 in its own hand",
    format: "json5",
    edits: [entry],
    before: "{\n  mcp: {\n    'x y': 0xF, // hex\n    z: 'q',\n  },\n}\n",
    after:
      "{\n  mcp: {\n    'x y': 0xF, // hex\n    z: 'q',\n    'signet': {\n      'command': 'OUR-mcp'\n    },\n  },\n}\n",
  },
  // TOML, as Codex has it.
  {
    name: "a table at the end",
    format: "toml",
    edits: [entry],
    before: 'model = "x"\n\n[mcp.other]\ncommand = "y"\n',
    after: 'model = "x"\n\n[mcp.other]\ncommand = "y"\n\n[mcp.signet]\ncommand = "OUR-mcp"\n',
  },
  {
    name: "inside an inline table",
    format: "toml",
    edits: [entry],
    before: 'mcp = { other = { command = "y" } } # all\n',
    after: 'mcp = { other = { command = "y" }, signet = {command = "OUR-mcp"} } # all\n',
  },
  {
    name: "beside dotted keys",
    format: "toml",
    edits: [entry],
    before: 'mcp.other.command = "y"\nz = 1\n',
    after: 'mcp.other.command = "y"\nmcp.signet = {command = "OUR-mcp"}\nz = 1\n',
  },
  {
    name: "an older table is changed in place",
    format: "toml",
    edits: [entry],
    before: '[mcp.signet]\ncommand = "OUR-old" # ours\nstartup = 5\n[b]\n',
    after: '[mcp.signet]\ncommand = "OUR-mcp" # ours\nstartup = 5\n[b]\n',
    left: "# ours\n[b]\n",
  },
];

for (const { name, format, edits, before, after, left } of CASES) {
  Deno.test(`applyEdits() in ${format}: ${name}`, () => {
    const done = applyEdits(format, before, edits);
    assertEquals(done.text, after);
    assertEquals(verify(format, before, after, edits, { installed: true }), undefined);
    assertEquals(applyEdits(format, after, edits).changed, false, "twice is once");
    assertEquals(removeEdits(format, after, edits, done.made), left ?? before);
  });
}

Deno.test("applyEdits() keeps another program's value, and reports the conflict", () => {
  const before = '{"mcp": {"signet": {"command": "theirs"}}}';
  const done = applyEdits("json", before, [entry]);
  assertEquals(done.text, before);
  assertEquals(done.conflicts, ["mcp.signet (line 1) belongs to another program and was kept"]);
});

Deno.test("applyEdits() adds a default only if the user has none, and removeEdits() removes only that", () => {
  const setting: Edit = { kind: "default", path: ["features", "hooks"], value: true };
  for (const before of ["[features]\nhooks = false\n", "[features]\nhooks = true\n"]) {
    const done = applyEdits("toml", before, [setting]);
    assertEquals(done.text, before);
    assertEquals(removeEdits("toml", before, [setting], done.made), before);
  }
  const done = applyEdits("toml", "[features]\na = 1\n", [setting]);
  assertEquals(done.text, "[features]\na = 1\nhooks = true\n");
  assertEquals(removeEdits("toml", done.text, [setting], done.made), "[features]\na = 1\n");
  const changed = done.text.replace("true", "false");
  assertEquals(
    removeEdits("toml", changed, [setting], done.made),
    changed,
    "a value that the user changed is theirs",
  );
});

Deno.test("removeEdits() without `made` keeps containers", () => {
  assertEquals(removeEdits("json", '{"mcp": {"signet": {"command": "OUR-mcp"}}}', [entry]), '{"mcp": {}}');
  assertEquals(removeEdits("yaml", "mcp:\n  signet:\n    command: OUR-mcp\n", [entry]), "mcp: {}\n");
});

Deno.test("removeEdits() undoes a promotion when only the user's value is left", () => {
  const made = { promoted: [["hooks", "start"]] };
  assertEquals(
    removeEdits("yaml", "hooks:\n  start:\n    - new lint # mine\n    - OUR-hook\n", [item()], made),
    "hooks:\n  start: new lint # mine\n",
  );
  assertEquals(
    removeEdits("json", '{"hooks": {"start": ["new", "OUR-hook"]}}', [item()], made),
    '{"hooks": {"start": "new"}}',
  );
  assertEquals(
    removeEdits("yaml", "hooks:\n  start: [a, b, OUR-hook]\n", [item()], made),
    "hooks:\n  start: [a, b]\n",
    "two are a list",
  );
});

Deno.test("applyEdits() removes keys that only an earlier version wrote, and keeps the user's", () => {
  const edit: Edit = {
    kind: "entry",
    path: ["mcp", "signet"],
    value: { command: "OUR-mcp", env: { A: "1" } },
    owns,
  };
  const before =
    "mcp:\n  signet:\n    command: OUR-mcp\n    cwd: /old # ours\n    env:\n      A: '1'\n      B: '2'\n      MINE: x\n    note: mine\n";
  const previous = () => ({
    command: "OUR-old",
    cwd: "/old",
    env: { A: "0", B: "2", MINE: "not this" },
    note: "other",
  });
  const { text } = applyEdits("yaml", before, [edit], { previous });
  assertEquals(
    text,
    "mcp:\n  signet:\n    command: OUR-mcp\n    env:\n      A: '1'\n      MINE: x\n    note: mine\n",
  );
  assertEquals(applyEdits("yaml", text, [edit], { previous }).changed, false);
});
