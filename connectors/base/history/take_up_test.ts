import { assertEquals } from "@std/assert";
import { agentLogPath, appendAgentLog, oldLogPath } from "../../../hooks/agents/log_line.ts";
import { sampleMessage } from "../testing/sample_message.ts";
import { openDatabase } from "./database.ts";
import { listMessages } from "./messages.ts";
import { fact, setFact, takeUp } from "./take_up.ts";

/** A directory of the mesh with its history. */
class Scene implements Disposable {
  readonly dir = Deno.makeTempDirSync();
  readonly database = openDatabase(this.dir);
  readonly log = agentLogPath(this.dir);

  put(text: string): void {
    const message = sampleMessage({ text });
    appendAgentLog(this.dir, { event: "put", session: "s-receiver", harness: "pi", message });
  }

  /** The texts of the history after it was brought up to date. */
  texts(now?: number): string[] {
    takeUp(this.database, this.dir, now);
    return listMessages(this.database, { limit: 1000 }).map(({ text }) => text);
  }

  [Symbol.dispose](): void {
    this.database.close();
    Deno.removeSync(this.dir, { recursive: true });
  }
}

Deno.test("takeUp() takes each line once", () => {
  using scene = new Scene();
  assertEquals(scene.texts(), []);
  scene.put("one");
  scene.put("two");
  assertEquals(scene.texts(), ["one", "two"]);
  scene.put("three");
  assertEquals(scene.texts(), ["one", "two", "three"]);
  assertEquals(scene.texts(), ["one", "two", "three"]);
});

Deno.test("takeUp() skips garbage and counts it, and goes on behind it", () => {
  using scene = new Scene();
  scene.put("one");
  const garbage = [
    "not JSON",
    "{}",
    '{"at":"x","event":"put"}',
    '{"at":1,"event":"put","message":{"id":3}}',
    "[1]",
  ];
  for (const line of [...garbage, "x".repeat(3_000_000)]) {
    Deno.writeTextFileSync(scene.log, `${line}\n`, { append: true });
  }
  Deno.writeFileSync(scene.log, new Uint8Array([0, 255, 254, 10, 10]), { append: true });
  scene.put("two");
  assertEquals(scene.texts(), ["one", "two"]);
  assertEquals(fact(scene.database, "unreadable"), garbage.length + 2);
});

Deno.test("takeUp() leaves a line that is still being written for the next time", () => {
  using scene = new Scene();
  scene.put("one");
  scene.put("two");
  const bytes = Deno.readFileSync(scene.log);
  for (const cut of [1, 40, bytes.length / 2 - 1]) {
    Deno.writeFileSync(scene.log, bytes.subarray(0, bytes.length - Math.floor(cut)));
    assertEquals(scene.texts(), ["one"], `without the last ${cut} bytes`);
  }
  Deno.writeFileSync(scene.log, bytes);
  assertEquals(scene.texts(), ["one", "two"]);
});

Deno.test("takeUp() reads a log again that was cut, replaced, removed or renamed", () => {
  using scene = new Scene();
  scene.put("one");
  assertEquals(scene.texts(), ["one"]);
  Deno.truncateSync(scene.log);
  scene.put("after a cut");
  assertEquals(scene.texts(), ["one", "after a cut"]);
  Deno.truncateSync(scene.log);
  for (let i = 0; i < 3; i++) scene.put(`grown ${i}`);
  const grown = ["one", "after a cut", "grown 0", "grown 1", "grown 2"];
  assertEquals(scene.texts(), grown);
  Deno.removeSync(scene.log);
  assertEquals(scene.texts(), grown);
  scene.put("new file");
  assertEquals(scene.texts(), [...grown, "new file"]);
  scene.put("before the rename");
  Deno.renameSync(scene.log, oldLogPath(scene.dir));
  scene.put("after the rename");
  assertEquals(scene.texts(), [...grown, "new file", "before the rename", "after the rename"]);
});

Deno.test("takeUp() removes a log that clean has put aside, and its last lines are not lost", () => {
  using scene = new Scene();
  scene.put("one");
  scene.texts();
  using writer = Deno.openSync(scene.log, { append: true });
  Deno.renameSync(scene.log, oldLogPath(scene.dir));
  setFact(scene.database, "rotated", 1_000_000);
  const line = {
    at: Date.now(),
    event: "put",
    session: "s",
    harness: "pi",
    message: sampleMessage({ text: "late" }),
  };
  writer.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  assertEquals(scene.texts(1_009_999), ["one", "late"]);
  assertEquals(Deno.lstatSync(oldLogPath(scene.dir)).isFile, true);
  assertEquals(scene.texts(1_010_000), ["one", "late"]);
  assertEquals([...Deno.readDirSync(scene.dir)].map(({ name }) => name), ["history.sqlite"]);
});

Deno.test("takeUp() puts a large log aside, and two generations are the most that there is", () => {
  using scene = new Scene();
  const texts: string[] = [];
  const takeAt = (now: number) => takeUp(scene.database, scene.dir, now, 2_000);
  for (let round = 0; round < 6; round++) {
    for (let i = 0; i < 5; i++) {
      const text = `${round}.${i} ${"x".repeat(400)}`;
      texts.push(text);
      scene.put(text);
    }
    takeAt(1_000_000 + round * 6_000);
    const bytes = [scene.log, oldLogPath(scene.dir)].map((path) => {
      try {
        return Deno.statSync(path).size;
      } catch {
        return 0;
      }
    });
    assertEquals(
      bytes[0] === 0 || (bytes[1] ?? 0) > 0,
      true,
      "a large log is put aside unless one is already",
    );
    assertEquals((bytes[0] ?? 0) + (bytes[1] ?? 0) < 12_000, true, bytes.join());
  }
  assertEquals(scene.texts().map((text) => text.slice(0, 3)), texts.map((text) => text.slice(0, 3)));
});

Deno.test("takeUp() dates a log that a crash has left aside, and removes it later", () => {
  using scene = new Scene();
  scene.put("old");
  Deno.renameSync(scene.log, oldLogPath(scene.dir));
  scene.put("new");
  takeUp(scene.database, scene.dir, 1_000_000, 1);
  takeUp(scene.database, scene.dir, 1_020_000, 1);
  takeUp(scene.database, scene.dir, 1_040_000, 1);
  assertEquals([...Deno.readDirSync(scene.dir)].map(({ name }) => name), ["history.sqlite"]);
  assertEquals(scene.texts(), ["old", "new"]);
});

Deno.test("appendAgentLog() writes again if the log was removed under it", () => {
  using scene = new Scene();
  scene.put("one");
  using _opened = stubOpen((path) => Deno.removeSync(path));
  scene.put("two");
  assertEquals(scene.texts(), ["two"]);
});

/** Runs `then` after the next file was opened, as if another process were that fast. */
function stubOpen(then: (path: string) => void): Disposable {
  const { openSync } = Deno;
  let left = 1;
  Deno.openSync = (path, options) => {
    const file = openSync(path, options);
    if (left-- > 0) then(String(path));
    return file;
  };
  return { [Symbol.dispose]: () => void (Deno.openSync = openSync) };
}

Deno.test("takeUp() of a log that is a link reads nothing", () => {
  using scene = new Scene();
  Deno.symlinkSync("/etc/passwd", scene.log);
  assertEquals(scene.texts(), []);
  assertEquals(fact(scene.database, "unreadable"), undefined);
});

Deno.test("takeUp() in several processes at once, while others write, takes every line once", async () => {
  using scene = new Scene();
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
  const writer = `
    import { appendAgentLog } from ${url("../../../hooks/agents/log_line.ts")};
    import { sampleMessage } from ${url("../testing/sample_message.ts")};
    for (let i = 0; i < 300; i++) {
      const message = sampleMessage({ text: Deno.args[1] + " " + i });
      appendAgentLog(Deno.args[0], { event: "put", session: "s", harness: "pi", message });
    }`;
  const reader = `
    import { openDatabase } from ${url("./database.ts")};
    import { takeUp } from ${url("./take_up.ts")};
    for (let i = 0; i < 30; i++) {
      const database = openDatabase(Deno.args[0]);
      // Each call puts the log aside, and removes the one before at once.
      takeUp(database, Deno.args[0], i * 20_000, 1);
      database.close();
    }`;
  const start = (code: string, name: string) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        `data:application/typescript,${encodeURIComponent(code)}`,
        scene.dir,
        name,
      ],
      stderr: "piped",
    }).output();
  const ended = await Promise.all([
    start(writer, "a"),
    start(writer, "b"),
    start(reader, ""),
    start(reader, ""),
  ]);
  assertEquals(ended.map(({ stderr }) => new TextDecoder().decode(stderr)), ["", "", "", ""]);
  const texts = scene.texts();
  assertEquals(texts.length, 600);
  const expected = ["a", "b"].flatMap((name) => Array.from({ length: 300 }, (_, i) => `${name} ${i}`));
  assertEquals(texts.sort(), expected.sort());
});
