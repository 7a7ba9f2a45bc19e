import { assertEquals } from "@std/assert";
import { hookCall, parseHookArgs } from "./args.ts";

Deno.test("parseHookArgs() reads what harness configs hold", () => {
  const start = { kind: "event", event: "session-start" };
  const cases: [string[], unknown][] = [
    [["session-start"], start],
    [["hook", "session-start"], start],
    [["session-start", "--project", "/p q"], { ...start, project: "/p q" }],
    [["session-start", "--project=/p", "-H", "pi"], { ...start, project: "/p", harness: "pi" }],
    [["--harness", "pi", "session-start"], { ...start, harness: "pi" }],
    [["session-start", "--project"], { ...start, project: undefined }],
    [["session-start", "--codex-json", "--agent-id=x"], start],
    [["session-start", "--help"], { kind: "help" }],
    [["-h"], { kind: "help" }],
    [["drain", "-H", "pi"], { kind: "drain", harness: "pi", mode: undefined }],
    [["--mode", "readonly", "session-start"], { ...start, mode: "readonly" }],
    [["session-start", "--mode=readonly"], { ...start, mode: "readonly" }],
  ];
  for (const [args, expected] of cases) assertEquals<unknown>(parseHookArgs(args), expected, args.join(" "));
  for (const args of [[], ["bogus"], ["--project", "session-start"]]) {
    assertEquals(parseHookArgs(args).kind, "usage", args.join(" "));
  }
});

Deno.test("hookCall() finds the hook behind the flags of every command", () => {
  const cases: [string[], string[] | undefined][] = [
    [["hook", "session-start"], ["session-start"]],
    [["--json", "hook", "session-start"], ["--json", "session-start"]],
    [["--mode", "readonly", "-q", "hook", "drain"], ["--mode", "readonly", "-q", "drain"]],
    [["--mode=write", "-H", "pi", "hook", "checkpoint"], ["--mode=write", "-H", "pi", "checkpoint"]],
    [["hook"], []],
    [["--mode", "hook"], undefined],
    [["remember", "hook"], undefined],
    [["--version", "hook"], undefined],
    [[], undefined],
  ];
  for (const [args, expected] of cases) assertEquals(hookCall(args), expected, args.join(" "));
});
