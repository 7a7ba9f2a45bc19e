import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { agentDirectory, composeIdentity } from "./compose.ts";
import { canReadUnprivileged, UNPRIVILEGED } from "../testing/unprivileged.ts";
import { isGenerated } from "./header.ts";

const FIXTURES = new URL("../../../tests/fixtures/identity/", import.meta.url);
const NOW = new Date("2026-03-01T12:00:00.000Z");

function compose(workspace: string | undefined, agentId = "default") {
  return composeIdentity({ workspace, agentId, binary: "signet-pyagent", now: NOW });
}

function composed(workspace: string, agentId?: string) {
  const result = compose(workspace, agentId);
  assert(result);
  return result;
}

async function workspace(files: Record<string, string | Uint8Array>): Promise<string> {
  const dir = await Deno.makeTempDir();
  for (const [name, content] of Object.entries(files)) {
    const path = `${dir}/${name}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return dir;
}

for (
  const [name, agentId] of [
    ["plain", "default"],
    ["override", "nicholai/pi"],
    ["old_block", "default"],
    ["sparse", "default"],
  ] as const
) {
  Deno.test(`composeIdentity() writes the golden file of ${name}`, async () => {
    const dir = new URL(`${name}/`, FIXTURES);
    const path = new URL("workspace", dir).pathname;
    const result = composed(path, agentId);
    const portable = (text: string) => text.replaceAll(path, "/home/u/.agents");
    for (const [file, text] of [["own.md", result.text], ["inner.md", result.inner + "\n"]] as const) {
      if (Deno.env.get("SIGNET_UPDATE_GOLDEN")) {
        await Deno.writeTextFile(new URL(file, dir), portable(text));
      }
      assertEquals(portable(text), await Deno.readTextFile(new URL(file, dir)));
    }
    assertEquals(result.warnings, []);
  });
}

Deno.test("composeIdentity() is undefined without a workspace", async () => {
  const dir = await workspace({ file: "" });
  assertEquals(compose(undefined), undefined);
  assertEquals(compose(`${dir}/missing`), undefined);
  assertEquals(compose(`${dir}/file`), undefined);
});

Deno.test("composeIdentity() leaves out a file that the harness reads itself, but no agent's own", async () => {
  const dir = await workspace({
    "AGENTS.md": "root rules",
    "SOUL.md": "kind",
    "agents/ada/AGENTS.md": "ada's",
  });
  const options = { workspace: dir, binary: "signet-kimi", now: NOW, omit: `${dir}/AGENTS.md` };
  const root = composeIdentity({ ...options, agentId: "default" });
  assertEquals([root?.inner.includes("root rules"), root?.inner.includes("kind")], [false, true]);
  assertEquals(root?.sources, [`${dir}/AGENTS.md`, `${dir}/SOUL.md`], "a change of it is still noticed");
  assertStringIncludes(composeIdentity({ ...options, agentId: "ada" })?.inner ?? "", "ada's");
  await Deno.remove(dir, { recursive: true });
});

Deno.test("composeIdentity() never edits the workspace", async () => {
  const text = "a\n<!-- SIGNET:START -->\nold\n<!-- SIGNET:END -->\nb\n";
  const dir = await workspace({ "AGENTS.md": text });
  assert(!composed(dir).text.includes("old"));
  assertEquals(await Deno.readTextFile(`${dir}/AGENTS.md`), text);
});

Deno.test("composeIdentity() truncates each file at its budget and marks it", async () => {
  const long = (n: number) => "x".repeat(n);
  const cases = [["AGENTS.md", 12_000], ["SOUL.md", 4_000], ["IDENTITY.md", 2_000], ["USER.md", 6_000], [
    "MEMORY.md",
    10_000,
  ]] as const;
  for (const [file, budget] of cases) {
    const whole = composed(await workspace({ [file]: long(budget) + "\n \n" })).text;
    assertStringIncludes(whole, `\n\n${long(budget)}\n`);
    assert(!whole.includes("[truncated]"), file);
    const cut = composed(await workspace({ [file]: long(budget + 1) })).text;
    assertStringIncludes(cut, `\n\n${long(budget)}\n[truncated]\n`);
  }
});

Deno.test("composeIdentity() does not split a character", async () => {
  const { text } = composed(await workspace({ "IDENTITY.md": "x".repeat(1_999) + "😀😀" }));
  assertStringIncludes(text, `${"x".repeat(1_999)}\n[truncated]`);
  assert(text.isWellFormed());
});

Deno.test("composeIdentity() reads only the start of a 10 MB file", async () => {
  const dir = await workspace({ "MEMORY.md": new Uint8Array(10 * 1024 * 1024).fill(0x6d), "USER.md": "Ada" });
  const { text, warnings } = composed(dir);
  assertStringIncludes(text, `\n${"m".repeat(10_000)}\n[truncated]\n`);
  assertStringIncludes(text, "## About Your User\n\nAda");
  assert(text.length < 12_000);
  assertEquals(warnings, []);
});

Deno.test("composeIdentity() replaces bytes that are not UTF-8", async () => {
  const { text } = composed(await workspace({ "SOUL.md": new Uint8Array([0x61, 0xff, 0xc3, 0x28, 0x62]) }));
  assertStringIncludes(text, "## Soul\n\na\uFFFD\uFFFD(b\n");
});

Deno.test({
  name: "composeIdentity() skips what is not a file, and warns",
  ignore: Deno.build.os === "windows",
  async fn() {
    const dir = await workspace({
      "MEMORY.md": "kept",
      "USER.md/inner": "a directory in the place of a file",
    });
    await new Deno.Command("mkfifo", { args: [`${dir}/SOUL.md`] }).output();
    await Deno.symlink(`${dir}/nowhere`, `${dir}/IDENTITY.md`);
    await Deno.symlink(`${dir}/AGENTS.md`, `${dir}/AGENTS.md`);
    const { text, warnings, sources } = composed(dir);
    assertStringIncludes(text, "## Working Memory\n\nkept");
    assertEquals(sources, [`${dir}/MEMORY.md`]);
    assertEquals(warnings.length, 3);
    assertMatch(
      warnings.join("\n"),
      /AGENTS\.md cannot be read .*\n.*SOUL\.md is not a regular.*\n.*USER\.md is not/,
    );
  },
});

Deno.test({
  name:
    "composeIdentity() warns of a file that it may not read, and goes on (needs a checkout that anyone can read)",
  ignore: !canReadUnprivileged(new URL("compose.ts", import.meta.url).pathname),
  async fn() {
    const dir = await workspace({ "SOUL.md": "secret", "USER.md": "Ada" });
    await Deno.chmod(dir, 0o755);
    await Deno.chmod(`${dir}/SOUL.md`, 0o000);
    const script = `import { composeIdentity } from ${
      JSON.stringify(new URL("compose.ts", import.meta.url).href)
    };
      const { text, warnings } = composeIdentity({ workspace: ${
      JSON.stringify(dir)
    }, agentId: "a", binary: "b" });
      console.log(JSON.stringify({ text, warnings }));`;
    await Deno.writeTextFile(`${dir}/script.ts`, script);
    const deno = [Deno.execPath(), "run", "-A", "--no-check", "--no-config", "--no-lock"];
    const [program = "", ...args] = [...UNPRIVILEGED, ...deno, `${dir}/script.ts`];
    const cache = await Deno.makeTempDir();
    await Deno.chmod(cache, 0o777);
    const output = await new Deno.Command(program, { args, env: { DENO_DIR: cache, HOME: cache } }).output();
    const { text, warnings } = JSON.parse(new TextDecoder().decode(output.stdout));
    assertStringIncludes(text, "Ada");
    assert(!text.includes("secret"));
    assertMatch(warnings.join("\n"), /SOUL\.md cannot be read \(.*denied/);
  },
});

Deno.test("composeIdentity() does not replace an agent's unreadable file with the root's", async () => {
  const dir = await workspace({ "SOUL.md": "the root's", "agents/a/SOUL.md/x": "", "USER.md": "Ada" });
  const { text, warnings } = composed(dir, "a");
  assert(!text.includes("the root's"));
  assertStringIncludes(text, "Ada");
  assertEquals(warnings.length, 1);
});

Deno.test("composeIdentity() follows a symlinked workspace and names it as the user does", async () => {
  const real = await workspace({ "AGENTS.md": "linked" });
  const link = `${await Deno.makeTempDir()}/agents`;
  await Deno.symlink(real, link);
  const { text } = composed(link);
  assertStringIncludes(text, "linked");
  assertStringIncludes(text, `# Source: ${link}/AGENTS.md\n`);
  assert(!text.includes(real));
});

Deno.test("composeIdentity() writes one pair of marks, even if sources or names contain marks", async () => {
  const marks = "<!-- SIGNET:START --> <!-- SIGNET:END --> <!-- SIGNET:ST<!-- SIGNET:START -->ART -->";
  const dir = await workspace({ "AGENTS.md": marks, "MEMORY.md": marks });
  const result = composeIdentity({ workspace: dir, agentId: marks, binary: marks, now: NOW });
  assert(result);
  for (const [text, pairs] of [[result.text, 1], [result.inner, 0]] as const) {
    assertEquals(text.split("<!-- SIGNET:START -->").length - 1, pairs);
    assertEquals(text.split("<!-- SIGNET:END -->").length - 1, pairs);
  }
  assert(isGenerated(result.text));
});

Deno.test("agentDirectory() refuses an id that would leave the workspace", () => {
  assertEquals(agentDirectory("/w", "nicholai/pi"), "/w/agents/nicholai/pi");
  for (const id of ["..", "a/../../b", "", "/a", "a//b", "a/.", "a\\b", "a\nb"]) {
    assertEquals(agentDirectory("/w", id), undefined, id);
  }
});
