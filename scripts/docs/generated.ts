import { matrix, sections, versionTable } from "./harness_docs.ts";
import { connectorList } from "./install_usage.ts";
import { uninstallTable } from "./uninstall_table.ts";

/** The text between `<!-- NAME:start -->` and `<!-- NAME:end -->`. */
const PARTS: Readonly<Record<string, () => string>> = {
  matrix,
  versions: versionTable,
  harnesses: sections,
  uninstall: uninstallTable,
};

/** The files with generated parts. */
export const GENERATED = ["README.md", "docs/harnesses.md", "docs/uninstalling.md", "scripts/install.sh"];

/** A file with its generated parts written anew. */
export async function regenerate(path: string, text: string): Promise<string> {
  return path.endsWith(".md") ? await document(text) : connectorList(text);
}

/** A document with its generated parts, formatted by `deno fmt`. */
async function document(text: string): Promise<string> {
  const filled = Object.entries(PARTS).reduce((text, [name, make]) =>
    text.replace(
      // The indentation of the mark keeps a part inside its list item.
      new RegExp(`( *)(<!-- ${name}:start -->\n)[\\s\\S]*?(<!-- ${name}:end -->)`),
      (_, indent: string, start: string, end: string) =>
        `${indent}${start}\n${make().replaceAll(/^(?=.)/gm, indent)}\n${indent}${end}`,
    ), text);
  return await formatted(filled);
}

async function formatted(text: string): Promise<string> {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  await using fmt = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--config", config, "--ext", "md", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = fmt.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout, stderr } = await fmt.output();
  if (!success) throw new Error(`deno fmt: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
