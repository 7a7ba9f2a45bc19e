import { assertEquals } from "@std/assert";

/** Installs into large configs in a process of its own: its work is counted, not the waiting for the tests beside it. */
async function measured(): Promise<Record<string, number>> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("../testing/large_configs.ts", import.meta.url).pathname],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const said = new TextDecoder().decode(stdout);
  const spent: Record<string, number> = JSON.parse(said || "{}");
  assertEquals(Object.keys(spent).length, 5, new TextDecoder().decode(stderr));
  return spent;
}

Deno.test("planInstall() of a megabyte, and applying it, is less than a second of work in every format", async () => {
  const slow = async () => Object.entries(await measured()).filter(([, ms]) => ms >= 1000);
  // A crowded machine makes the same work cost more: what counts is what it can cost.
  const first = await slow();
  if (first.length > 0) assertEquals(await slow(), [], `the first time: ${first}`);
});
