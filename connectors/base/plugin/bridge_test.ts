import { assert, assertEquals, assertMatch } from "@std/assert";
import { quiet, run, Session, textOf, transcriptOf, within } from "./bridge.js";
import { HANG_MS, until } from "../testing/until.ts";
import { Recorder } from "../testing/plugin_recorder.ts";

const TIMEOUTS = Object.fromEntries(
  ["session-start", "user-prompt-submit", "session-end", "compaction-complete", "checkpoint"]
    .map((event) => [event, HANG_MS]),
);

function session(recorder: Recorder, checkpointEvery = 10): Session {
  const argv = [recorder.program, "hook", "EVENT"];
  return new Session({ argv, timeouts: TIMEOUTS, checkpointEvery }, {
    session_id: "s1",
    cwd: "/home/u/proj",
  });
}

Deno.test("run() gives the program its input and takes what it printed", async () => {
  assertEquals(await run(["cat"], { a: "ü" }, HANG_MS), '{"a":"ü"}');
});

const SILENT: [string, string[]][] = [
  ["there is no such program", ["/no/such/program"]],
  ["the program fails", ["sh", "-c", "echo text; exit 3"]],
  ["the program does not read its input", ["true"]],
  ["the program is not named", []],
];
for (const [title, argv] of SILENT) {
  Deno.test(`run() is an empty text where ${title}`, async () => {
    assertEquals(await run(argv, { text: "x".repeat(300_000) }, HANG_MS), "");
  });
}

/** Until this process knows that its child has ended: the next test would be blamed for it. */
async function reaped(pid: string): Promise<void> {
  await until("the program has ended", () => Deno.stat(`/proc/${pid}`).then(() => false, () => true));
}

Deno.test("run() does not wait for a program that hangs, and ends it", async () => {
  await using recorder = await Recorder.create(
    '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec sleep 600\n',
  );
  let pid = "";
  // On a slow machine the wait may be over before the program has begun.
  for (let waitMs = 300; pid === "" && waitMs < HANG_MS; waitMs *= 2) {
    assertEquals(await run([recorder.program], {}, waitMs), "");
    pid = (await Deno.readTextFile(`${recorder.dir}/pid`).catch(() => "")).trim();
  }
  assertMatch(pid, /^\d+$/);
  await reaped(pid);
});

Deno.test("run() lets a durable call finish after its timeout", async () => {
  await using recorder = await Recorder.create(
    '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nread -r go < "$(dirname "$0")/gate"\ntouch "$(dirname "$0")/done"\n',
  );
  await new Deno.Command("mkfifo", { args: [`${recorder.dir}/gate`] }).output();
  assertEquals(await run([recorder.program], {}, 200, true), "");
  await Deno.writeTextFile(`${recorder.dir}/gate`, "go\n");
  await until("it has finished", () => Deno.stat(`${recorder.dir}/done`).then(() => true, () => false));
  await reaped((await Deno.readTextFile(`${recorder.dir}/pid`)).trim());
});

Deno.test("Session starts once and ends once, whatever the harness repeats", async () => {
  await using recorder = await Recorder.create();
  const s1 = session(recorder);
  assertEquals([await s1.start("startup"), await s1.start("resume")], ["START-TEXT", "START-TEXT"]);
  await Promise.all([s1.end("session_shutdown", "User: hi"), s1.end("session.deleted", "User: hi")]);
  assertEquals(await recorder.events(), ["session-start", "session-end"]);
  assertEquals((await recorder.calls())[1]?.input, {
    session_id: "s1",
    cwd: "/home/u/proj",
    reason: "session_shutdown",
    transcript: "User: hi",
  });
});

Deno.test("Session.end() does nothing before a start", async () => {
  await using recorder = await Recorder.create();
  await session(recorder).end("session_shutdown", "User: hi");
  assertEquals(await recorder.events(), []);
});

Deno.test("Session.turnIsDue() is true after every so many turns", async () => {
  await using recorder = await Recorder.create();
  const s1 = session(recorder, 3);
  assertEquals([1, 2, 3, 4, 5, 6].map(() => s1.turnIsDue()), [false, false, true, false, false, true]);
});

Deno.test("Session sends no summary and no checkpoint without a text", async () => {
  await using recorder = await Recorder.create();
  const s1 = session(recorder);
  await s1.compacted(" \n");
  await s1.compacted(undefined);
  await s1.checkpoint("");
  assertEquals(await recorder.events(), []);
});

for (const variable of ["SIGNET_NO_HOOKS", "SIGNET_BYPASS"]) {
  Deno.test(`Session starts no program where ${variable} is set`, async () => {
    await using recorder = await Recorder.create();
    Deno.env.set(variable, "1");
    try {
      assertEquals(await session(recorder).start("startup"), "");
    } finally {
      Deno.env.delete(variable);
    }
    assertEquals(await recorder.events(), []);
  });
}

Deno.test("quiet() turns a throw into undefined", async () => {
  assertEquals(await quiet(() => Promise.reject(new Error("no")))(), undefined);
  assertEquals(
    await quiet(() => {
      throw new Error("no");
    })(),
    undefined,
  );
});

Deno.test("within() gives undefined for a late or failed promise", async () => {
  assertEquals(await within(20, new Promise(() => {})), undefined);
  assertEquals(await within(1000, Promise.reject(new Error("no"))), undefined);
  assertEquals(await within(1000, Promise.resolve(7)), 7);
});

Deno.test("transcriptOf() keeps the messages of user and model, and the end of a long text", () => {
  const turns = [
    { role: "user", text: "hello " },
    { role: "tool", text: "output" },
    { role: "assistant", text: " " },
    { role: "assistant", text: "hi" },
  ];
  assertEquals(transcriptOf(turns), "User: hello\n\nAssistant: hi");
  const long = transcriptOf([...turns, { role: "user", text: "x".repeat(500_000) }, {
    role: "user",
    text: "last",
  }]);
  assert(long.endsWith("User: last") && long.length === 100_000);
});

Deno.test("textOf() reads a string, text parts, and nothing else", () => {
  assertEquals(textOf("a"), "a");
  assertEquals(
    textOf([{ type: "text", text: "a" }, { type: "image" }, null, { type: "text", text: "b" }]),
    "a\nb",
  );
  assertEquals(textOf({ text: "a" }), "");
});

Deno.test("Session keeps the conversation on disk until its end, and not where Signet is switched off", async () => {
  await using recorder = await Recorder.create();
  const argv = [recorder.program, "hook", "EVENT"];
  const transcripts = `${recorder.dir}/transcripts`;
  const open = () =>
    new Session({ argv, timeouts: TIMEOUTS, checkpointEvery: 10, transcripts }, { session_id: "../s:1" });
  Deno.env.set("SIGNET_NO_HOOKS", "1");
  try {
    const off = open();
    await off.start("startup");
    off.keep("User: hi");
    await off.end("quit", "User: hi");
  } finally {
    Deno.env.delete("SIGNET_NO_HOOKS");
  }
  assertEquals(await Deno.stat(transcripts).catch(() => "none"), "none");

  const path = `${transcripts}/___s_1.txt`;
  const read = () => Deno.readTextFile(path).catch(() => "");
  const session = open();
  await session.start("startup");
  await session.prompt("one");
  session.keep("User: one\n\nAssistant: ok");
  await session.prompt("two");
  await until("both are on disk", async () => (await read()) === "User: one\n\nAssistant: ok\n\nUser: two");
  await session.end("quit", "all of it");
  session.keep("too late");
  const [, , , end] = await recorder.records();
  assertEquals([end?.event, end?.transcript, end?.transcript_path], ["session-end", "all of it", path]);
});

Deno.test("Session keeps no conversation where an uninstall has removed the state directory", async () => {
  await using recorder = await Recorder.create();
  const argv = [recorder.program, "hook", "EVENT"];
  const transcripts = `${recorder.stateDir}/transcripts`;
  const session = new Session({ argv, timeouts: TIMEOUTS, checkpointEvery: 10, transcripts }, {
    session_id: "s",
  });
  await session.start("startup");
  await Deno.remove(recorder.stateDir, { recursive: true });
  await session.prompt("one");
  session.keep("User: one\n\nAssistant: ok");
  await session.end("quit", "all of it");
  assertEquals(await Deno.stat(recorder.stateDir).catch(() => "none"), "none");
});
