import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { World } from "../worlds/world.ts";
import { DIST } from "../worlds/built.ts";

/** What is typed, and the completions after TAB. */
const TYPED: Record<string, [string, string][]> = {
  "signet-pyagent": [
    ["inst", "install"],
    ["config ", "config show"],
    ["install --url http://127.0.0.1:1 --agent-", "install --url http://127.0.0.1:1 --agent-id"],
    ["--mode readonly stat", "--mode readonly status"],
    ["status --mode rea", "status --mode readonly"],
    ["completions pow", "completions powershell"],
    ["help exit", "help exit-codes"],
    ["agents conf", "agents config"],
    ["agents config sh", "agents config show"],
    ["agents config init --scope pro", "agents config init --scope project"],
  ],
  "signet-connect": [
    ["install claude", "install claude-code"],
    ["install pi pyag", "install pi pyagent"],
    ["api-key crea", "api-key create"],
    ["api-key revoke --insec", "api-key revoke --insecure-http"],
    ["recall -H openco", "recall -H opencode"],
  ],
};

const BASH = `
source "$1"
line="$2"; word="\${line##* }"
read -r -a COMP_WORDS <<< "$line"
[ "$word" ] || COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
"\${3}"
printf '%s' "\${line%"$word"}\${COMPREPLY[*]}"
`;

// A function takes the program's place and prints the line that TAB made.
const ZSH = `
zmodload zsh/zpty
zpty z 'TERM=dumb zsh -f -i'
zpty -w z "PS1=; PROMPT=; $1"
zpty -w z "$2() { print -r -- \\"GOT<\\$*>\\" }; print READ''Y"
zpty -r z out '*READY*'
for line in "\${(@)argv[3,-1]}"; do
  zpty -w z "$line"$'\\t'
  zpty -r z out '*GOT<*>*'
  print -r -- "\${\${out##*GOT<}%%>*}"
done
zpty -d z
`;

/** Runs a shell that completes a line, or says that the shell is not on this machine. */
async function complete(world: World, shell: string, args: string[]): Promise<string> {
  const { code, out, err } = await world.run("timeout", ["20", shell, ...args], {
    env: { HISTFILE: "/dev/null" },
  });
  assertEquals(code, 0, `${shell}: ${out}${err}`);
  return out.trim();
}

function has(shell: string): boolean {
  const { success } = new Deno.Command("sh", { args: ["-c", `command -v ${shell}`], stdout: "null" })
    .outputSync();
  return success;
}

/** On a build machine a missing shell is a fault of the set-up, and the test says so by failing. */
const absent = (shell: string) => !Deno.env.get("CI") && !has(shell);

async function scriptFor(world: World, binary: string, shell: string): Promise<string> {
  const { code, out, err } = await world.run(`${DIST}/${binary}`, ["completions", shell]);
  assertEquals([code, err], [0, ""]);
  const name = shell === "zsh" ? `_${binary}` : `${binary}.${shell}`;
  await world.write(`completions/${name}`, out);
  return `${world.home}/completions/${name}`;
}

for (const [binary, cases] of Object.entries(TYPED)) {
  Deno.test(`${binary} completions bash: sourced, it completes what is typed`, async () => {
    await using world = await World.create();
    const script = await scriptFor(world, binary, "bash");
    for (const [typed, expected] of cases) {
      const line = `${binary} ${typed}`;
      const done = await complete(world, "bash", [
        "-c",
        BASH,
        "bash",
        script,
        line,
        `_${binary.replace("-", "_")}`,
      ]);
      assertEquals(done, `${binary} ${expected}`);
    }
  });

  Deno.test({
    name: `${binary} completions zsh: sourced or from fpath, it completes what is typed`,
    ignore: absent("zsh"),
    async fn() {
      await using world = await World.create();
      const script = await scriptFor(world, binary, "zsh");
      const init = "autoload -Uz compinit; compinit -u -D";
      const ways = [`${init}; source ${script}`, `fpath=(${world.home}/completions $fpath); ${init}`];
      const lines = cases.map(([typed]) => `${binary} ${typed}`);
      for (const way of ways) {
        const done = await complete(world, "zsh", ["-f", "-c", ZSH, "zsh", way, binary, ...lines]);
        assertEquals(done.split("\n"), cases.map(([, expected]) => expected));
      }
    },
  });

  Deno.test({
    name: `${binary} completions fish: sourced, it completes what is typed`,
    ignore: absent("fish"),
    async fn() {
      await using world = await World.create();
      const script = await scriptFor(world, binary, "fish");
      for (const [typed, expected] of cases) {
        const code = `source ${script}; complete -C '${binary} ${typed}'`;
        const offered = await complete(world, "fish", ["--no-config", "-c", code]);
        const [word] = (offered.split("\n")[0] ?? "").split("\t");
        assertEquals(offered.split("\n").length, 1, offered);
        assertEquals(typed.slice(0, typed.lastIndexOf(" ") + 1) + word, expected);
      }
    },
  });

  Deno.test(`${binary} completions powershell: names every command and closes what it opens`, async () => {
    await using world = await World.create();
    const text = await Deno.readTextFile(await scriptFor(world, binary, "powershell"));
    assertStringIncludes(text, `Register-ArgumentCompleter -Native -CommandName ${binary} -ScriptBlock {`);
    for (const [, expected] of cases) {
      for (const word of expected.split(" ").filter((each) => !each.startsWith("http"))) {
        assertStringIncludes(text, `'${word}'`);
      }
    }
    const count = (char: string) => text.split(char).length;
    for (const [open, close] of ["{}", "()"].map((pair) => [...pair])) {
      assertEquals(count(open ?? ""), count(close ?? ""));
    }
    assert(!/\r|\t/.test(text));
  });
}
