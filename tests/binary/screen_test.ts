import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { until } from "../../connectors/base/testing/until.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { AgentsHome } from "../worlds/agents/agents_home.ts";
import { CONNECT } from "../worlds/connected.ts";
import { Tmux, type TmuxOptions } from "../worlds/tmux.ts";
import { World } from "../worlds/world.ts";

const LINUX = { ignore: Deno.build.os !== "linux" };

/** A home with two agents, a lock and a message, and a terminal in it. */
class Place implements AsyncDisposable {
  readonly agents: AgentsHome;
  readonly claude;
  readonly codex;

  private constructor(readonly world: World) {
    this.agents = new AgentsHome(world);
    this.claude = this.agents.begin("claude-code", "aaaa1111");
    this.codex = this.agents.begin("codex", "3f9a0000");
    this.agents.sessions.update(this.codex, { status: "idle" });
  }

  static async create(): Promise<Place> {
    const place = new Place(await World.create());
    const { agents, claude } = place;
    agents.sessions.update(claude, { status: "working", tool: "Edit", file: "/home/u/app/src/auth.ts" });
    await agents.lock(claude, "/home/u/app/src/auth.ts", "rename the fields");
    return place;
  }

  get pidFile(): string {
    return `${this.world.root}/pid`;
  }

  /** Runs signet-connect on a terminal that has a text on it already. */
  async open(words: string, options: Partial<TmuxOptions> = {}): Promise<Tmux> {
    const { root, home } = this.world;
    const script = `${root}/start.sh`;
    await Deno.writeTextFile(script, `echo $$ > "${this.pidFile}"\nexec "${CONNECT}" ${words}\n`);
    const command = `echo as before; sh "${script}"; code=$?; stty -a > "${root}/stty"; (exit $code)`;
    const size = { columns: 80, rows: 24 };
    return await Tmux.start(command, {
      dir: root,
      home,
      path: "/usr/local/bin:/usr/bin:/bin",
      ...size,
      ...options,
    });
  }

  async pid(): Promise<number> {
    return Number((await Deno.readTextFile(this.pidFile)).trim());
  }

  /** The screen is as it was, and so is the terminal. */
  async isRestored(terminal: Tmux, code: number): Promise<void> {
    const screen = await terminal.shows(/ended with \d+/);
    assertMatch(screen, new RegExp(`^as before\\nended with ${code}\\n`));
    const modes = await Deno.readTextFile(`${this.world.root}/stty`);
    for (const mode of ["icanon", "echo", "isig", "icrnl"]) {
      assertMatch(modes, new RegExp(`(?<!-)\\b${mode}\\b`));
    }
    assertEquals(await terminal.fact("#{alternate_on} #{cursor_flag} #{wrap_flag}"), "0 1 1");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

Deno.test({
  ...LINUX,
  name: "agents --watch: a person looks, writes to an agent, looks at the locks and quits",
  async fn() {
    await using place = await Place.create();
    await using terminal = await place.open("agents --watch");
    assertMatch(
      await terminal.shows(/codex-3f9a/),
      /^> claude-aaaa +working +\d+ \w+ +Edit src\/auth\.ts +app +1 *\n {2}codex-3f9a +idle /m,
    );
    // What a hook writes is on the screen without a key.
    place.agents.sessions.update(place.codex, { status: "waiting", tool: "shell" });
    await terminal.shows(/codex-3f9a +waiting +\d+ \w+ +asks its user: shell/);
    await terminal.press("Down");
    await terminal.shows(/^> codex-3f9a/m);
    await terminal.press("k");
    await terminal.shows(/^> claude-aaaa/m);
    await terminal.press("j", "Enter");
    assertMatch(await terminal.shows(/session +3f9a0000/), /harness +codex\n/);
    await terminal.press("Escape");
    await terminal.shows(/^> codex-3f9a/m);
    await terminal.press("m");
    await terminal.shows(/^To codex-3f9a:/m);
    await terminal.type("Which 天 tests fail?");
    await terminal.shows(/^To codex-3f9a: Which 天 tests fail\?$/m);
    await terminal.press("Enter");
    await terminal.shows(/^Sent to codex-3f9a\./m);
    assertEquals(place.agents.inbox.peek(place.codex, "new").map(({ text }) => text), [
      "Which 天 tests fail?",
    ]);
    await terminal.press("l");
    assertMatch(
      await terminal.shows(/^> \/home\/u\/app\/src\/auth\.ts/m),
      /claude-aaaa +\d+ \w+ +\d+ \w+ +rename the/,
    );
    await terminal.press("q");
    await place.isRestored(terminal, 0);
  },
});

Deno.test({
  ...LINUX,
  name: "monitor: everything at once, at 40, 80 and 200 columns, also when the window changes",
  async fn() {
    await using place = await Place.create();
    place.agents.inbox.put(
      place.claude,
      sampleMessage({
        from: { agentId: "work", session: place.codex.key, harness: place.codex.harness },
        to: { session: place.claude.key },
        text: "天地玄黃: which tests fail?",
        wants: "reply",
      }),
    );
    await using terminal = await place.open("monitor");
    const all = await terminal.shows(/Messages 1/);
    assertMatch(all, /^2 agents · 1 working · 1 unread · 1 lock$/m);
    assertMatch(all, /^Agents 2 ─+$/m);
    assertMatch(all, /codex-3f9a +idle +\d+ \w+ +waits for claude-aaaa/);
    assertMatch(all, /^Locks 1 ─+$/m);
    assertMatch(all, /codex-3f9a +claude-aaaa +waiting +天地玄黃: which tests fail\?$/m);
    await terminal.resize(40, 24);
    const narrow = await terminal.shows(/^> claude-aaaa {2}working \d+ \w+ {2}1 unread$/m);
    for (const line of ["    Edit src/auth.ts", "    天地玄黃: which tests fail?"]) {
      assertStringIncludes(narrow, `\n${line}\n`);
    }
    assert(!narrow.includes("HANDLE"));
    await terminal.resize(200, 24);
    const wide = await terminal.shows(/LAST MESSAGE +AGENT +MACHINE/);
    assertMatch(wide, /codex-3f9a: 天地玄黃: which tests fail\? +work +here/);
    await terminal.press("C-c");
    await place.isRestored(terminal, 130);
  },
});

Deno.test({
  ...LINUX,
  name: "monitor in mode readonly sends nothing",
  async fn() {
    await using place = await Place.create();
    await using terminal = await place.open("monitor --mode readonly");
    await terminal.shows(/^> claude-aaaa/m);
    await terminal.press("m");
    await terminal.shows(/^To claude-aaaa:/m);
    await terminal.type("hello");
    await terminal.press("Enter");
    await terminal.shows(/needs mode write/);
    assertEquals(place.agents.inbox.peek(place.claude, "new"), []);
  },
});

Deno.test({
  ...LINUX,
  name: "monitor: a lock is freed after a question, in mode admin only, and its holder learns it",
  async fn() {
    await using place = await Place.create();
    {
      await using terminal = await place.open("monitor");
      await terminal.shows(/Locks 1/);
      await terminal.press("l", "u");
      await terminal.shows(/^Free \/home\/u\/app\/src\/auth\.ts, locked by claude-aaaa\? \(y\/n\)/m);
      await terminal.press("y");
      await terminal.shows(/needs mode admin/);
      assertEquals(place.agents.locks.dir.list().length, 1);
    }
    await using terminal = await place.open("monitor --mode admin");
    await terminal.shows(/Locks 1/);
    await terminal.press("l", "u");
    await terminal.shows(/\(y\/n\)/);
    await terminal.press("n");
    await terminal.shows(/u unlock/);
    assertEquals(place.agents.locks.dir.list().length, 1);
    await terminal.press("u");
    await terminal.shows(/\(y\/n\)/);
    await terminal.press("y");
    await terminal.shows(/^Freed \/home\/u\/app\/src\/auth\.ts/m);
    await terminal.shows(/No file is locked/);
    assertMatch(place.agents.inbox.peek(place.claude, "new")[0]?.text ?? "", /removed by force/);
  },
});

for (const [signal, code] of [["SIGTERM", 0], ["SIGINT", 130], ["SIGQUIT", 131]] as const) {
  Deno.test({
    ...LINUX,
    name: `agents --watch gives the terminal back after ${signal}`,
    async fn() {
      await using place = await Place.create();
      await using terminal = await place.open("agents --watch");
      await terminal.shows(/claude-aaaa/);
      Deno.kill(await place.pid(), signal);
      await place.isRestored(terminal, code);
    },
  });
}

Deno.test({
  ...LINUX,
  name: "agents --watch gives the terminal to the shell after Ctrl-Z, and takes it again after fg",
  async fn() {
    await using place = await Place.create();
    const { root, home } = place.world;
    const path = "/usr/local/bin:/usr/bin:/bin";
    await using terminal = await Tmux.start("bash --norc -i", {
      dir: root,
      home,
      path,
      columns: 80,
      rows: 24,
      env: { PS1: "ready> " },
    });
    await terminal.shows(/^ready>$/m);
    await Deno.symlink(CONNECT, `${home}/signet-connect`);
    await terminal.type("./signet-connect agents --watch");
    await terminal.press("Enter");
    await terminal.shows(/^> claude-aaaa/m);
    await terminal.press("C-z");
    await terminal.shows(/Stopped +\.\/signet-connect agents --watch\nready>$/m);
    assertEquals(await terminal.fact("#{alternate_on} #{cursor_flag} #{wrap_flag}"), "0 1 1");
    await terminal.type("fg");
    await terminal.press("Enter");
    await terminal.shows(/^> claude-aaaa/m);
    await terminal.press("j");
    await terminal.shows(/^> codex-3f9a/m);
    await terminal.press("q");
    await terminal.shows(/^ready>$/m);
  },
});

Deno.test({
  ...LINUX,
  name: "agents --watch ends when its window is closed",
  async fn() {
    await using place = await Place.create();
    const terminal = await place.open("agents --watch");
    await terminal.shows(/claude-aaaa/);
    const pid = await place.pid();
    await terminal[Symbol.asyncDispose]();
    await until("the program has ended", () => {
      try {
        Deno.readLinkSync(`/proc/${pid}/exe`);
        return false;
      } catch {
        return true;
      }
    });
  },
});

Deno.test({
  ...LINUX,
  name: "agents --watch: names and messages of others cannot act on the terminal",
  async fn() {
    await using place = await Place.create();
    const evil = "\x1b]2;pwned\x07\x1b[31m\x1b[2J\u009b31mevil\x1b[?1049l";
    const { agents } = place;
    const id = agents.begin("gemini", "eeee0001", { project: `/home/u/${evil}` });
    agents.sessions.update(id, { status: "working", tool: evil, file: `/home/u/${evil}` });
    agents.inbox.put(id, sampleMessage({ text: evil, to: { session: id.key } }));
    await agents.lock(id, `/home/u/${evil}`, evil);
    await using terminal = await place.open("monitor", { env: { NO_COLOR: "1" } });
    const seen = await terminal.shows(/gemini-eeee +working .*evil/);
    assertMatch(seen, /^3 agents/m);
    await terminal.press("Down", "Down", "Enter");
    await terminal.shows(/session +eeee0001/);
    assertEquals(await terminal.fact("#{alternate_on}"), "1");
    assert(!(await terminal.fact("#{pane_title}")).includes("pwned"));
    // Nothing has a color: neither from them nor from us.
    assert(!(await terminal.visible(true)).includes("\x1b["));
    await terminal.press("q");
    await place.isRestored(terminal, 0);
  },
});

Deno.test({
  ...LINUX,
  name: "agents --watch without a terminal prints the list again and again",
  async fn() {
    await using place = await Place.create();
    const { world } = place;
    const command = `"${CONNECT}" agents --watch > out 2>&1 & echo $! > pid; wait $!`;
    const ran = world.sh(command);
    const out = await until("it has printed the list twice", async () => {
      const text = await Deno.readTextFile(`${world.home}/out`).catch(() => "");
      return text.split("HANDLE").length > 2 && text;
    });
    Deno.kill(Number(await Deno.readTextFile(`${world.home}/pid`)), "SIGTERM");
    await ran;
    assertMatch(out, /^claude-aaaa +work +\/home\/u\/app +working \(Edit/m);
    assert(!out.includes("\x1b"));
  },
});
