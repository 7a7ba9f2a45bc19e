import { join } from "@std/path";

const PAUSE_MS = 100;
/** A busy machine is slow; a condition that holds ends the wait at once. */
const PATIENCE_MS = 180_000;

/** Asks until the answer is good or time is up, and returns the last answer: the caller reports what it lacks. */
export async function poll<T>(
  ask: () => Promise<T>,
  good: (answer: T) => boolean,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  while (true) {
    const answer = await ask();
    if (good(answer) || performance.now() > end) return answer;
    // The real programs need the processor.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Every file, link and directory below a directory, relative to it; what is below `except` is left out. */
export async function entriesBelow(
  root: string,
  except: readonly string[] = [],
  prefix = "",
): Promise<string[]> {
  const found: string[] = [];
  // A program in the background may remove a directory of its own meanwhile.
  const entries = await Array.fromAsync(Deno.readDir(join(root, prefix))).catch((error) => {
    if (prefix !== "" && error instanceof Deno.errors.NotFound) return [];
    throw error;
  });
  for (const entry of entries) {
    const name = join(prefix, entry.name);
    if (except.includes(join(root, name))) continue;
    found.push(name);
    if (entry.isDirectory) found.push(...await entriesBelow(root, except, name));
  }
  return found.sort();
}
