/**
 * `deno task demo`: builds the PyAgent connector if needed, installs it into a
 * temporary home, runs a session with the hook commands from the config, shows what a
 * second agent can and cannot recall and what the daemon received, uninstalls, and
 * compares the files.
 */
import { parse } from "@std/yaml";
import { serve } from "../mock_daemon/mod.ts";
import { until } from "../connectors/base/testing/until.ts";
import { World } from "../tests/worlds/world.ts";

const CONFIG = `# My PyAgent set-up. Ten years old, every line has a story.
model: gpt-5.4          # the big one

hooks:
  on_session_start:
    - command: ./say-good-morning.sh   # mine; it was here first
      timeout: 2

theme:   {accent: teal,  bold: yes}    # unusual spacing, on purpose
`;

const WORKSPACE: Record<string, string> = {
  "AGENTS.md": "Answer briefly. Ask before you delete anything.\n",
  "SOUL.md": "Calm, curious, a little dry.\n",
};

const TRANSCRIPT = "User: Which machine is Heron on?\nAssistant: The one in the cellar.\n".repeat(12);

const LAPTOP = { agent: "laptop", key: "sig_sk_0123456789ab_ZGVtby1sYXB0b3Ata2V5LW5vdC1hLXNlY3JldC0x" };
const SERVER = { agent: "server", key: "sig_sk_ba9876543210_ZGVtby1zZXJ2ZXIta2V5LW5vdC1hLXNlY3JldC0y" };

const color = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");
const paint = (code: number, text: string) => color ? `\x1b[${code}m${text}\x1b[0m` : text;
const title = (text: string) => console.log(`\n${paint(1, text)}`);
const indent = (text: string) =>
  console.log(text.trimEnd().split("\n").map((line) => `    ${line}`).join("\n"));

/** Prints a check; ends the demo with exit code 1 if it fails. */
function expect(ok: boolean, sentence: string): void {
  console.log(`  ${ok ? paint(32, "✓") : paint(31, "✗")} ${sentence}`);
  if (!ok) throw new Error(`check failed: ${sentence}`);
}

/** The hook commands for an event in a PyAgent config. */
function hookCommands(config: string, event: string): string[] {
  const document = parse(config) as { hooks?: Record<string, { command: string }[]> };
  return (document.hooks?.[event] ?? []).map(({ command }) => command);
}

async function main(): Promise<void> {
  const root = new URL("..", import.meta.url).pathname;
  title("1. Build signet-pyagent (skipped if up to date)");
  const build = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "scripts/build.ts", "pyagent"],
    cwd: root,
  });
  expect((await build.spawn().status).success, "built a single executable without dependencies");

  await using world = await World.create();
  const daemon = serve({
    auth: "team",
    keys: [LAPTOP, SERVER].map(({ agent, key }) => ({ key, name: agent, agentId: agent, scope: { agent } })),
    identity: WORKSPACE,
    entities: { Heron: "Heron is the staging database; it lives on the machine in the cellar." },
  });
  try {
    await play(root, world, daemon.url);
  } finally {
    await daemon.shutdown();
  }
  title("All checks passed.");
  console.log("  Next: ./scripts/deno task build, then dist/signet-pyagent --help\n");
}

async function play(root: string, world: World, url: string): Promise<void> {
  for (const [name, text] of Object.entries(WORKSPACE)) await world.write(`.agents/${name}`, text);
  await world.write(".pyagent/config.yaml", CONFIG);
  await world.write("proj/say-good-morning.sh", "#!/bin/sh\necho good morning\n", 0o755);
  await world.write("proj/transcript.txt", TRANSCRIPT);
  const before = await world.snapshot();
  const cwd = `${world.home}/proj`;
  const env: Record<string, string> = color ? { CLICOLOR_FORCE: "1" } : {};
  const signet = (args: string[], extra: Record<string, string> = {}) =>
    world.run(`${root}/dist/signet-pyagent`, args, { env: { ...env, ...extra }, cwd, input: LAPTOP.key });
  const install = ["install", "--url", url, "--api-key-stdin", "--agent-id", LAPTOP.agent, "--no-skills"];

  title(`2. A daemon runs at ${url}, and the user has this PyAgent config:`);
  indent(CONFIG);
  title(`3. signet-pyagent ${install.join(" ")} --dry-run`);
  const dry = await signet([...install, "--dry-run"]);
  indent(dry.out + dry.err);
  expect(
    dry.code === 0 && same(before, await world.snapshot()),
    "the diff is shown and nothing is written",
  );

  title("4. Install without --dry-run");
  const installed = await signet(install);
  indent(installed.out + installed.err);
  expect(installed.code === 0, "installed");
  const config = await world.read(".pyagent/config.yaml");
  expect(
    CONFIG.split("\n").every((line) => config.includes(line)),
    "every line of the user's config is unchanged",
  );
  expect(!config.includes("sig_sk_"), "the key is not in the config");

  title("5. A session: run each hook command from the config in a shell");
  const fire = async (event: string, input: object, extra: Record<string, string> = {}) => {
    let output = "";
    for (const command of hookCommands(config, event)) {
      const ran = await world.sh(command, { env: { ...env, ...extra }, cwd, input: JSON.stringify(input) });
      if (ran.code !== 0) throw new Error(`${command} exited ${ran.code}: ${ran.err}`);
      output += ran.out;
    }
    console.log(`\n  ${paint(36, event)}`);
    if (output) indent(output);
    return output;
  };
  const session = (id: string) => ({ session_id: id, cwd: "/home/u/proj" });
  const start = await fire("on_session_start", session("demo-1"));
  expect(start.includes("good morning"), "the user's hook still runs");
  expect(start.includes("Calm, curious"), "the agent received its identity");
  const prompt = await fire("on_user_message", {
    ...session("demo-1"),
    message: "Which machine is Heron on?",
  });
  expect(prompt.includes("cellar"), "the prompt received the memory about Heron");
  await fire("on_session_end", {
    ...session("demo-1"),
    transcript_path: `${cwd}/transcript.txt`,
    reason: "exit",
  });

  title("6. Agent laptop remembers something for everyone, and something for itself");
  const remember = async (...args: string[]) => {
    console.log(
      `  signet-pyagent remember ${args.map((arg) => arg.includes(" ") ? `"${arg}"` : arg).join(" ")}`,
    );
    expect((await signet(["remember", ...args])).code === 0, "remembered");
  };
  await remember("Osprey is the name of the backup server.");
  await remember("--private", "Osprey's disk key is in the blue folder.");

  title("7. A second agent on the same machine, with its id and key in the environment");
  const server = { SIGNET_AGENT_ID: SERVER.agent, SIGNET_API_KEY: SERVER.key };
  await fire("on_session_start", session("demo-2"), server);
  const recall = async (extra: Record<string, string>) => {
    const { out } = await signet(["recall", "Osprey"], extra);
    indent(out);
    return out;
  };
  console.log("\n  signet-pyagent recall Osprey, as agent server");
  const recalled = await recall(server);
  expect(recalled.includes("backup server"), "agent server sees the shared memory of agent laptop");
  expect(!recalled.includes("blue folder"), "agent server does not see its private memory");
  console.log("\n  the same, as agent laptop");
  expect((await recall({})).includes("blue folder"), "agent laptop sees both");
  console.log("\n  and a session of agent server with the key of agent laptop:");
  await fire("on_session_start", session("demo-3"), { SIGNET_AGENT_ID: SERVER.agent });

  title("8. What the daemon recorded");
  const records = await until("the session-end, sent in the background, arrives", () => hooks(url));
  for (const { agent, event, sessionKey, status } of records) {
    console.log(`  ${agent.padEnd(8)} ${event.padEnd(20)} ${sessionKey.padEnd(8)} ${status}`);
  }
  const seen = (agent: string, event: string, status: number) =>
    records.some((each) => each.agent === agent && each.event === event && each.status === status);
  const all = ["session-start", "user-prompt-submit", "session-end"];
  expect(all.every((event) => seen("laptop", event, 200)), "all three events of agent laptop arrived");
  expect(seen("server", "session-start", 200), "agent server is accepted with its key");
  expect(
    records.some(({ sessionKey, status }) => sessionKey === "demo-3" && status === 403),
    "agent server is rejected (403) with the key of agent laptop",
  );

  title("9. signet-pyagent uninstall");
  const gone = await world.run(`${world.home}/.local/bin/signet-pyagent`, ["uninstall", "--yes"], { env });
  indent(gone.out + gone.err);
  expect(gone.code === 0, "uninstalled");
  expect(
    same(before, await world.snapshot()),
    "every file in the home is unchanged, and nothing is left over",
  );
}

function same(a: Map<string, string>, b: Map<string, string>): boolean {
  return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
}

interface Recorded {
  agent: string;
  event: string;
  sessionKey: string;
  status: number;
}

/** The recorded hooks, once the session-end is among them. */
async function hooks(url: string): Promise<Recorded[] | undefined> {
  const answer = await fetch(`${url}/__mock/requests`, {
    headers: { authorization: `Bearer ${LAPTOP.key}` },
  });
  const { requests } = await answer.json() as { requests: Recorded[] };
  const hookRequests = requests.filter(({ event }) => event);
  return hookRequests.some(({ event }) => event === "session-end") ? hookRequests : undefined;
}

try {
  await main();
} catch (error) {
  console.error(`\n${paint(31, "✗")} ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
