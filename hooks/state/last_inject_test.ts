import { assertEquals } from "@std/assert";
import { noteLastInject, readLastInject } from "./last_inject.ts";

Deno.test("noteLastInject() keeps the last text only, and for this user only", async () => {
  const root = await Deno.makeTempDir();
  try {
    const dir = `${root}/state/pi`;
    assertEquals(readLastInject(dir), undefined);
    const first = { at: "a", event: "session-start" as const, session: "s", text: "You are Ada." };
    const second = {
      at: "b",
      event: "user-prompt-submit" as const,
      session: "s",
      text: "Heron is a database.",
    };
    noteLastInject(dir, first);
    noteLastInject(dir, second);
    assertEquals(readLastInject(dir), second);
    assertEquals([...Deno.readDirSync(dir)].length, 1);
    if (Deno.build.os !== "windows") {
      assertEquals((Deno.statSync(`${dir}/last_inject.json`).mode ?? 0) & 0o777, 0o600);
    }
    noteLastInject(dir, { ...first, text: "x".repeat(300_000) });
    assertEquals((readLastInject(dir)?.text.length ?? 0) < 201_000, true);
    noteLastInject(dir, second);
    assertEquals(readLastInject(dir), second, "a shorter text follows a longer one");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("noteLastInject() does not fail where it cannot write, and a damaged note is none", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${root}/file`, "");
    noteLastInject(`${root}/file`, { at: "a", event: "session-start", text: "t" });
    await Deno.writeTextFile(`${root}/last_inject.json`, '{"at":"a","text":');
    assertEquals(readLastInject(root), undefined);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
