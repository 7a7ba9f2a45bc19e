import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { type Command, UserError } from "./command.ts";
import { parse } from "./parse.ts";
import { COMMANDS } from "./commands.ts";

const read = (line: string) => parse(line.split(" ").filter(Boolean), COMMANDS, "signet-pyagent");

Deno.test("parse() takes global flags before and after the command", () => {
  for (
    const line of [
      "--json status",
      "status --json",
      "--mode readonly --json status",
      "status --json --mode readonly",
    ]
  ) {
    const parsed = read(line);
    assertEquals(parsed.command?.id, "status", line);
    assertEquals(parsed.flags.on("json"), true, line);
    assertEquals(parsed.args, [], line);
  }
});

Deno.test("parse() reads --flag=value, --flag value and two-word commands", () => {
  const parsed = read("install --url=http://127.0.0.1:3850 --api-key k --agent-id a/b -y");
  assertEquals(parsed.flags.text("url"), "http://127.0.0.1:3850");
  assertEquals(parsed.flags.text("agent-id"), "a/b");
  assertEquals(parsed.flags.on("yes"), true);
  assertEquals(read("config show").command?.id, "config.show");
});

Deno.test("parse() keeps the arguments as they were typed", () => {
  assertEquals(parse(["remember", "0042", "is a code"], COMMANDS, "x").args, ["0042", "is a code"]);
});

Deno.test("parse() takes everything after -- as arguments", () => {
  assertEquals(parse(["remember", "--", "--flags are words here"], COMMANDS, "x").args, [
    "--flags are words here",
  ]);
});

Deno.test("parse() explains errors and suggests what was meant", () => {
  const cases: [string, string][] = [
    ["instal", "Did you mean install?"],
    ["install --ulr x", "Did you mean --url?"],
    ["install --url", "--url needs a value"],
    ["install --url --yes", "--url needs a value"],
    ["status --mode wriet", "Did you mean write?"],
    ["config", "config needs one of show"],
    ["config shwo", "Did you mean show?"],
    ["frobnicate", "There is no command frobnicate."],
    ["status --url x", "There is no flag --url here"],
  ];
  for (const [line, message] of cases) {
    const error = assertThrows(() => read(line), UserError);
    assertStringIncludes(error.message, message);
    assertEquals(error.code, 2, line);
  }
});

Deno.test("parse() reads a flag with an optional value, and a flag of the same name elsewhere", () => {
  const base = {
    summary: "",
    mode: "readonly",
    action: "read",
    resource: "x",
    args: "X",
    examples: [],
  } as const;
  const commands: Command[] = [
    { ...base, id: "send", flags: [{ name: "wait", value: "SEC", alone: "60", summary: "" }] },
    { ...base, id: "lock", flags: [{ name: "wait", value: "SEC", summary: "" }] },
  ];
  const cases: [string, string[], string | undefined][] = [
    ["send codex --wait hello", ["codex", "hello"], "60"],
    ["send --wait=5 codex hello", ["codex", "hello"], "5"],
    ["send codex hello", ["codex", "hello"], undefined],
    ["send codex -- --wait", ["codex", "--wait"], undefined],
    ["lock --wait 5 a.ts", ["a.ts"], "5"],
    ["lock a.ts --wait=5", ["a.ts"], "5"],
  ];
  for (const [line, args, wait] of cases) {
    const parsed = parse(line.split(" "), commands, "x");
    assertEquals([parsed.args, parsed.flags.text("wait")], [args, wait], line);
  }
});
