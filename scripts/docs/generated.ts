import { matrix, sections } from "./harness_docs.ts";

/** What stands between `<!-- NAME:start -->` and `<!-- NAME:end -->`. */
const PARTS: Readonly<Record<string, () => string>> = { matrix, harnesses: sections };

/** The files with generated parts. */
export const GENERATED = ["README.md", "docs/harnesses.md"];

/** A document with its generated parts made anew, formatted as `deno fmt` wants it. */
export async function regenerate(text: string): Promise<string> {
  const filled = Object.entries(PARTS).reduce((text, [name, make]) =>
    text.replace(
      new RegExp(`(<!-- ${name}:start -->\n)[\\s\\S]*?(<!-- ${name}:end -->)`),
      (_, start: string, end: string) => `${start}\n${make()}\n${end}`,
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
