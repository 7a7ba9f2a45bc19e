import { assertEquals } from "@std/assert";
import { claudeCode } from "../../../connectors/claude_code/harness.ts";
import { codex } from "../../../connectors/codex/harness.ts";
import { copilot } from "../../../connectors/copilot/harness.ts";
import { gemini } from "../../../connectors/gemini/harness.ts";
import { kilo } from "../../../connectors/kilo/harness.ts";
import { omp } from "../../../connectors/omp/harness.ts";
import { opencode } from "../../../connectors/opencode/harness.ts";
import { pi } from "../../../connectors/pi/harness.ts";
import { compareVersions } from "../../../connectors/base/versions/compare.ts";
import * as claudeCodeRun from "../harnesses/claude_code.ts";
import * as codexRun from "../harnesses/codex.ts";
import * as copilotRun from "../harnesses/copilot.ts";
import * as geminiRun from "../harnesses/gemini.ts";
import * as kiloRun from "../harnesses/kilo.ts";
import { offersTools, toConversation } from "../model/main_requests.ts";
import { NODE_24 } from "../node_24.ts";
import { type Kit, playVersion } from "./play_version.ts";
import * as ompRun from "../harnesses/omp.ts";
import * as opencodeRun from "../harnesses/opencode.ts";
import type { Package } from "../packages.ts";
import * as piRun from "../harnesses/pi.ts";
import type { Scenario } from "../stage.ts";

/** The versions that a descriptor names: what its row in docs/harnesses.md says was seen here. */
function triedOf({ versions }: Kit["harness"]): readonly string[] {
  return versions?.tried ?? [];
}

const claudeKit: Kit = {
  harness: claudeCode,
  async furnish(stage) {
    const settings = claudeCodeRun.settings(stage).replace('"deny": []', '"deny": ["WebFetch"]');
    await stage.userFile(".claude/settings.json", settings);
    await stage.userFile(".claude.json", claudeCodeRun.state(stage));
  },
  ask: (stage, prompt) => claudeCodeRun.ask(stage, prompt),
  conversation: (stage) => stage.model.requests.filter(offersTools),
  toConversation,
  userHooks: { start: 1, prompt: 1, stop: 1 },
  rewritten: { ".claude.json": claudeCodeRun.stateKept },
  async also(stage) {
    await stage.check("the user's deny rule holds", () => {
      const offered = stage.model.requests.filter(({ raw }) => raw.includes('"name":"WebFetch"'));
      assertEquals(offered.length, 0, "WebFetch is offered to the model");
    });
    await claudeCodeRun.filesNothing(stage, "mcp", "list");
  },
};

/** Up to 2.1.100 the program is a script. */
function claudePackage(version: string): Package {
  const file = compareVersions(version, "2.1.100") <= 0 ? "cli.js" : "bin/claude.exe";
  return {
    name: "@anthropic-ai/claude-code",
    version,
    program: `@anthropic-ai/claude-code/${file}`,
  };
}

const codexKit: Kit = {
  harness: codex,
  async furnish(stage) {
    await stage.userFile(".codex/config.toml", codexRun.config(stage));
  },
  ask: (stage, prompt) => codexRun.ask(stage, [prompt]),
  installFlags: ["--trust-hooks"],
  // The user's hooks would need trust records too.
  userHooks: {},
  rewritten: {
    // Older versions write down the personality that they use.
    ".codex/config.toml": (before, after) =>
      assertEquals(after.replace(/^personality = "\w+"\n/m, ""), before),
  },
};

const geminiKit: Kit = {
  harness: gemini,
  runtime: ["node"],
  async furnish(stage) {
    await stage.userFile(".gemini/settings.json", geminiRun.settings(stage));
  },
  ask: (stage, prompt) => geminiRun.ask(stage, prompt),
  installFlags: ["--trust-tools"],
  conversation: geminiRun.conversation,
  toConversation,
  userHooks: { agent: 1 },
};

const copilotKit: Kit = {
  harness: copilot,
  async furnish(stage) {
    await stage.userFile(".copilot/hooks/mine.json", copilotRun.hooks(stage));
    await stage.userFile(".copilot/mcp-config.json", copilotRun.SERVERS);
  },
  ask: (stage, prompt) => copilotRun.ask(stage, prompt),
  env: copilotRun.env,
  userHooks: { prompt: 1, end: 1 },
};

const opencodeKit: Kit = {
  harness: opencode,
  async furnish(stage, version) {
    await stage.userFile(".config/opencode/opencode.jsonc", opencodeRun.config(stage));
    await opencodeRun.fetchedAlready(stage, version);
  },
  ask: (stage, prompt) => opencodeRun.ask(stage, prompt),
  conversation: opencodeRun.conversation,
  toConversation,
  userHooks: {},
};

const kiloKit: Kit = {
  harness: kilo,
  async furnish(stage, version) {
    await stage.userFile(".config/kilo/kilo.json", kiloRun.config(stage));
    await kiloRun.fetchedAlready(stage, version);
  },
  ask: (stage, prompt) => kiloRun.ask(stage, prompt),
  conversation: kiloRun.conversation,
  toConversation,
  userHooks: {},
  rewritten: { ".config/kilo/kilo.json": (_, after) => assertEquals(/signet/i.test(after), false, after) },
};

const ompKit: Kit = {
  harness: omp,
  runtime: [ompRun.BUN],
  async furnish(stage) {
    await stage.userFile(".omp/agent/models.yml", ompRun.models(stage));
  },
  ask: (stage, prompt) => ompRun.ask(stage, prompt),
  conversation: ompRun.conversation,
  toConversation,
  search: ompRun.searchOnce,
  userHooks: {},
};

const piKit: Kit = {
  harness: pi,
  runtime: [NODE_24],
  async furnish(stage) {
    await stage.userFile(".pi/agent/models.json", piRun.models(stage));
  },
  ask: (stage, prompt) => piRun.ask(stage, prompt),
  userHooks: {},
};

/** pi changed its scope with 0.74. */
function piPackage(version: string): Package {
  const scope = compareVersions(version, "0.74.0") < 0 ? "@mariozechner" : "@earendil-works";
  return { name: `${scope}/pi-coding-agent`, version, program: `${scope}/pi-coding-agent/dist/cli.js` };
}

/** The versions that `deno task e2e --versions` plays. OpenClaw, Qwen Code and Kimi Code have one, which `deno task e2e` plays. */
export const VERSIONS: readonly Scenario[] = [
  ...triedOf(claudeCode).map((version) => {
    const pkg = claudePackage(version);
    const kit = pkg.program.endsWith(".js") ? { ...claudeKit, runtime: ["node"] } : claudeKit;
    return playVersion(kit, version, pkg);
  }),
  ...triedOf(codex).map((version) =>
    playVersion(codexKit, version, {
      name: "@openai/codex",
      version,
      program: "@openai/codex/bin/codex.js",
    })
  ),
  ...triedOf(gemini).map((version) =>
    playVersion(geminiKit, version, {
      name: "@google/gemini-cli",
      version,
      program: "@google/gemini-cli/bundle/gemini.js",
    })
  ),
  ...triedOf(copilot).map((version) => playVersion(copilotKit, version, { ...copilotRun.COPILOT, version })),
  ...triedOf(opencode).map((version) =>
    playVersion(opencodeKit, version, {
      name: "opencode-ai",
      version,
      program: "opencode-linux-x64/bin/opencode",
    })
  ),
  ...triedOf(pi).map((version) => playVersion(piKit, version, piPackage(version))),
  ...triedOf(kilo).map((version) => playVersion(kiloKit, version, kiloRun.kiloPackage(version))),
  ...triedOf(omp).map((version) => playVersion(ompKit, version, ompRun.ompPackage(version))),
];
