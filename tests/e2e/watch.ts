import { join } from "@std/path";

/** Asks until the answer will do, or time is up; the last answer is returned either way. */
export async function until<T>(
  ask: () => Promise<T>,
  good: (answer: T) => boolean,
  timeoutMs = 10_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  while (true) {
    const answer = await ask();
    if (good(answer) || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Every file, link and directory below a directory, relative to it; what is below `except` is left out. */
export async function entriesBelow(
  root: string,
  except: readonly string[] = [],
  prefix = "",
): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, prefix))) {
    const name = join(prefix, entry.name);
    if (except.includes(join(root, name))) continue;
    found.push(name);
    if (entry.isDirectory) found.push(...await entriesBelow(root, except, name));
  }
  return found.sort();
}
