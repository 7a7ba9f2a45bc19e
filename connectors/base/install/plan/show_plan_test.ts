import { assertEquals } from "@std/assert";
import { type Plan, planOf } from "./plan.ts";
import { showPlan } from "./show_plan.ts";
import { encode } from "../../fs/text_bytes.ts";

function planFor(before: string | undefined, after: string): Plan {
  return planOf([{
    verb: "install",
    input: { harness: "x", stateDir: "/s", targets: [] },
    changes: [{
      kind: "write",
      path: "/home/u/c.yaml",
      real: "/home/u/c.yaml",
      target: "edit",
      ...before === undefined ? {} : { before: encode(before) },
      after: encode(after),
      mode: 0o600,
    }],
    ledgerChanges: true,
    backups: [],
    released: [],
    warnings: [],
    conflicts: [],
    problems: [],
    signetCli: [],
  }]);
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `l${from + i}\n`).join("");

Deno.test("showPlan() prints a unified diff with three lines around each change", () => {
  const before = lines(1, 20);
  const after = before.replace("l5\n", "l5\nnew\n").replace("l18\n", "L18\n");
  assertEquals(
    showPlan(planFor(before, after), { home: "/home/u" }),
    "--- ~/c.yaml\n+++ ~/c.yaml\n" +
      "@@ -3,6 +3,7 @@\n l3\n l4\n l5\n+new\n l6\n l7\n l8\n" +
      "@@ -15,6 +16,6 @@\n l15\n l16\n l17\n-l18\n+L18\n l19\n l20\n",
  );
});

Deno.test("showPlan() of a new file starts from /dev/null, and shows a missing final line break", () => {
  assertEquals(
    showPlan(planFor(undefined, "a\nb")),
    "--- /dev/null\n+++ /home/u/c.yaml\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
  );
});

Deno.test("showPlan() uses color only on request", () => {
  assertEquals(showPlan(planFor("a\n", "b\n"), { color: true }).includes("\x1b[32m+b\x1b[0m"), true);
});

Deno.test("showPlan() hides other programs' keys, and replaces control characters", () => {
  const shown = showPlan(
    planFor(
      "API_KEY: sk-1\ntoken = 'x y'\nesc: \x1b[2J\nmax_tokens: 100\n",
      "a: 1\nAPI_KEY: sk-1\ntoken = 'x y'\nesc: \x1b[2J\nmax_tokens: 100\n",
    ),
  );
  assertEquals(shown.split("\n").slice(3, 8), [
    "+a: 1",
    " API_KEY: [hidden]",
    " token = '[hidden]'",
    " esc: \uFFFD[2J",
    "",
  ]);
});

Deno.test("showPlan() shows the options of an install, and hides the key", () => {
  const [part] = planFor(undefined, '{"apiKey":"sig_sk_x","options":{"mcp":false}}').parts;
  const plan = part && planOf([{
    ...part,
    changes: part.changes.map((change) => change.kind === "write" ? { ...change, target: "secret" } : change),
  }]);
  assertEquals(
    plan && showPlan(plan),
    '--- /dev/null\n+++ /home/u/c.yaml\n+apiKey: [hidden]\n+options: {"mcp":false}\n',
  );
});
