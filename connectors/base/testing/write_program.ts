/**
 * Writes a shell script or another program that a test runs. Another process does it: if this
 * one had the file open while another test starts a child, that child would hold it open until
 * its exec, and Linux does not run a file that is open for writing.
 */
export async function writeProgram(path: string, text: string): Promise<void> {
  await shell('cat > "$1" && chmod 755 "$1"', [path], text);
}

/** Copies a program that a test runs, for the same reason in another process. */
export async function copyProgram(from: string, to: string): Promise<void> {
  await shell('cp "$1" "$2" && chmod 755 "$2"', [from, to]);
}

async function shell(script: string, args: readonly string[], input = ""): Promise<void> {
  const child = new Deno.Command("/bin/sh", { args: ["-c", script, "sh", ...args], stdin: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success } = await child.status;
  if (!success) throw new Error(`${script} failed for ${args.join(" and ")}`);
}
