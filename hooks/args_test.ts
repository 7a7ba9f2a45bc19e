import { assertEquals } from "@std/assert";
import { parseHookArgs } from "./args.ts";

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
    [["drain", "-H", "pi"], { kind: "drain", harness: "pi" }],
  ];
  for (const [args, expected] of cases) assertEquals<unknown>(parseHookArgs(args), expected, args.join(" "));
  for (const args of [[], ["bogus"], ["--project", "session-start"]]) {
    assertEquals(parseHookArgs(args).kind, "usage", args.join(" "));
  }
});
