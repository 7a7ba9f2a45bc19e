/** The keys of a group beside its handlers, such as `matcher`. */
import { assertEquals } from "@std/assert";
import { applyEdits, findEdits, removeEdits } from "./config.ts";
import type { Edit } from "./edit.ts";
import { isMap } from "./json_value.ts";
import { verify } from "../install/verify.ts";

const matched: Edit = {
  kind: "item",
  path: ["hooks", "Start"],
  value: { matcher: "^x", hooks: [{ command: "OUR-hook", timeout: 5 }] },
  inner: "hooks",
  owns: (handler) => isMap(handler) && handler.command === "OUR-hook",
};
const start = (text: string) => JSON.parse(text).hooks.Start;

Deno.test("applyEdits() updates the keys of a group that holds only our handler, and removes outdated ones", () => {
  const before = '{"hooks": {"Start": [{"hooks": [{"command": "OUR-hook", "timeout": 5}], "note": "mine"}]}}';
  assertEquals(findEdits("json", before, [matched]).map(({ state }) => state), ["different"]);
  const { text } = applyEdits("json", before, [matched]);
  const ours = { hooks: [{ command: "OUR-hook", timeout: 5 }], note: "mine" };
  assertEquals(start(text), [{ ...ours, matcher: "^x" }]);
  assertEquals(findEdits("json", text, [matched]).map(({ state }) => state), ["present"]);
  assertEquals(verify("json", before, text, [matched], { installed: true }), undefined);
  assertEquals(verify("json", before, before, [matched], { installed: true }) === undefined, false);
  // What a later version does not write goes only where an earlier one wrote it.
  const bare: Edit = { ...matched, value: { hooks: [{ command: "OUR-hook", timeout: 5 }] } };
  const value = isMap(matched.value) ? matched.value : {};
  assertEquals(start(applyEdits("json", text, [bare], { previous: () => value }).text), [ours]);
  assertEquals(applyEdits("json", text, [bare]).changed, false);
  assertEquals(JSON.parse(removeEdits("json", text, [matched])), { hooks: { Start: [] } });
});

Deno.test("applyEdits() leaves a group alone that holds a handler of the user, too", () => {
  const theirs = { matcher: "Bash", hooks: [{ command: "mine" }, { command: "OUR-hook", timeout: 5 }] };
  const before = JSON.stringify({ hooks: { Start: [theirs] } });
  assertEquals(findEdits("json", before, [matched]).map(({ state }) => state), ["present"]);
  assertEquals(applyEdits("json", before, [matched]).changed, false);
  assertEquals(start(removeEdits("json", before, [matched])), [{
    matcher: "Bash",
    hooks: [{ command: "mine" }],
  }]);
});
