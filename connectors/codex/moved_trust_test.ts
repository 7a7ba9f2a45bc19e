import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { parseToml } from "../base/edit/formats/toml/toml_parse.ts";
import { applyPlan } from "../base/install/apply/apply.ts";
import type { Plan } from "../base/install/plan/plan.ts";
import { planInstall } from "../base/install/plan/plan_install.ts";
import { planUninstall } from "../base/install/plan/plan_uninstall.ts";
import { showPlan } from "../base/install/plan/show_plan.ts";
import { realOs } from "../base/fs/os.ts";
import { siteFor } from "../base/site/site.ts";
import { codex } from "./harness.ts";
import { trustedHash } from "./trust_record.ts";

const handler = (command: string) => ({ type: "command", command, timeout: 5 });

interface Install {
  readonly trustHooks?: boolean;
  readonly replaceSignetCli?: boolean;
  readonly version?: string;
}

/** A home in which Codex is connected, and the user adds hooks and trusts them afterwards. */
class CodexHome implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async make(): Promise<CodexHome> {
    const home = new CodexHome(await Deno.makeTempDir());
    await Deno.mkdir(join(home.path, ".codex"));
    return home;
  }

  get hooks(): string {
    return join(this.path, ".codex", "hooks.json");
  }

  get config(): string {
    return join(this.path, ".codex", "config.toml");
  }

  request({ trustHooks = true, replaceSignetCli = false, version }: Install) {
    const host = { os: "linux" as const, env: (name: string) => name === "HOME" ? this.path : undefined };
    const flags = { mcp: true, identity: false, skills: false, trustHooks, replaceSignetCli };
    const site = siteFor(codex, { host, program: `${this.path}/bin/signet-codex`, flags, version });
    const stateDir = join(this.path, "state");
    return { harness: "codex", stateDir, targets: codex.targets(site), replaceSignetCli };
  }

  /** Returns what the user is shown. */
  async install(options: Install = {}): Promise<string> {
    return await this.#apply(await planInstall(realOs, this.request(options)));
  }

  async uninstall(): Promise<string> {
    return await this.#apply(
      await planUninstall(realOs, this.request({ trustHooks: false, version: "any" })),
    );
  }

  async #apply(plan: Plan): Promise<string> {
    assertEquals(plan.problems, []);
    const shown = showPlan(plan, { color: false, home: this.path });
    await applyPlan(realOs, plan);
    return shown;
  }

  /** Appends a group to an event, and the record that Codex writes when the user trusts it. */
  async userHook(event: string, native: string, command: string, at: string): Promise<void> {
    const file = JSON.parse(await Deno.readTextFile(this.hooks).catch(() => '{"hooks":{}}'));
    file.hooks[native] = [...file.hooks[native] ?? [], { hooks: [handler(command)] }];
    await Deno.writeTextFile(this.hooks, JSON.stringify(file));
    const text = await Deno.readTextFile(this.config).catch(() => "");
    const record = `\n[hooks.state."${this.hooks}:${event}:${at}"]\ntrusted_hash = "${
      trustedHash(native, handler(command))
    }"\n`;
    await Deno.writeTextFile(this.config, text + record);
  }

  /** The trusted hash of each position, by event. */
  async records(): Promise<Record<string, string>> {
    const config = parseToml(await Deno.readTextFile(this.config)) as {
      hooks?: { state?: Record<string, { trusted_hash: string }> };
    };
    return Object.fromEntries(
      Object.entries(config.hooks?.state ?? {}).map((
        [key, record],
      ) => [key.slice(this.hooks.length + 1), record.trusted_hash]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

Deno.test("codex: an uninstall moves the trust of the user's later hooks along, and shows it", async () => {
  await using home = await CodexHome.make();
  await home.userHook("session_start", "SessionStart", "first", "0:0");
  await home.install();
  await home.userHook("session_start", "SessionStart", "second", "2:0");
  await home.userHook("session_start", "SessionStart", "third", "3:0");
  const shown = await home.uninstall();
  assertStringIncludes(shown, "session_start:1:0");
  assertEquals(await home.records(), {
    "session_start:0:0": trustedHash("SessionStart", handler("first")),
    "session_start:1:0": trustedHash("SessionStart", handler("second")),
    "session_start:2:0": trustedHash("SessionStart", handler("third")),
  });
  const { hooks } = JSON.parse(await Deno.readTextFile(home.hooks));
  assertEquals(Object.keys(hooks), ["SessionStart"]);
  assertEquals(hooks.SessionStart.length, 3);
});

Deno.test("codex: an uninstall moves trust where we wrote no trust record, and a disabled hook stays disabled", async () => {
  await using home = await CodexHome.make();
  await home.install({ trustHooks: false });
  await home.userHook("session_end", "SessionEnd", "mine", "1:0");
  await Deno.writeTextFile(home.config, (await Deno.readTextFile(home.config)) + "enabled = false\n");
  await home.uninstall();
  assertEquals(await home.records(), {
    "session_end:0:0": trustedHash("SessionEnd", handler("mine")),
  });
  assertStringIncludes(await Deno.readTextFile(home.config), "enabled = false");
});

Deno.test("codex: an uninstall without later hooks of the user restores config.toml to the byte", async () => {
  await using home = await CodexHome.make();
  await home.userHook("session_start", "SessionStart", "first", "0:0");
  const before = await Deno.readTextFile(home.config);
  await home.install();
  await home.uninstall();
  assertEquals(await Deno.readTextFile(home.config), before);
});

const MINE = trustedHash("Stop", handler("mine"));

for (const trustHooks of [true, false]) {
  const title = trustHooks ? "with our trust records" : "without trust records of ours";
  Deno.test(`codex: an install that drops one of our hooks moves the user's trust along, ${title}`, async () => {
    await using home = await CodexHome.make();
    await home.install({ trustHooks, version: "0.140.0" });
    await home.userHook("stop", "Stop", "mine", "1:0");
    // The record is in the backup of the second install.
    await home.install({ trustHooks, version: "0.140.0" });
    const stop = async () => Object.entries(await home.records()).filter(([key]) => key.startsWith("stop:"));
    assertEquals((await stop()).at(-1), ["stop:1:0", MINE]);

    const shown = await home.install({ trustHooks, version: "0.166.0" });
    assertMatch(shown, /^ *-.*stop:1:0/m);
    assertStringIncludes(shown, "stop:0:0");
    assertEquals(await stop(), [["stop:0:0", MINE]]);
    const after = await Deno.readTextFile(home.config);
    await home.install({ trustHooks, version: "0.166.0" });
    assertEquals(await Deno.readTextFile(home.config), after, "a second install changes nothing");

    await home.uninstall();
    assertEquals(await home.records(), { "stop:0:0": MINE });
    const { hooks } = JSON.parse(await Deno.readTextFile(home.hooks));
    assertEquals(hooks, { Stop: [{ hooks: [handler("mine")] }] });
  });
}

Deno.test("codex: an install in place of the original Signet moves the user's trust, and an uninstall moves it back", async () => {
  await using home = await CodexHome.make();
  const original = "signet hook session-start -H codex";
  await home.userHook("session_start", "SessionStart", original, "0:0");
  await home.userHook("session_start", "SessionStart", "mine", "1:0");
  const [hooks, config, records] = [
    await Deno.readTextFile(home.hooks),
    await Deno.readTextFile(home.config),
    await home.records(),
  ];
  await home.install({ replaceSignetCli: true });
  const mine = trustedHash("SessionStart", handler("mine"));
  assertEquals((await home.records())["session_start:0:0"], mine);
  await home.uninstall();
  assertEquals(await Deno.readTextFile(home.hooks), hooks);
  assertEquals(await home.records(), records);
  assertEquals(await Deno.readTextFile(home.config), config);
});
