import { join } from "@std/path";
import { until } from "../../connectors/base/testing/until.ts";

/** Asks until the answer is good or time is up, and returns the last answer: the caller reports what it lacks. */
export async function poll<T>(
  ask: () => Promise<T>,
  good: (answer: T) => boolean,
  timeoutMs = 30_000,
): Promise<T> {
  let answer = await ask();
  const end = performance.now() + timeoutMs;
  await until("the answer is good", async () => {
    if (good(answer) || performance.now() > end) return true;
    answer = await ask();
    return false;
  });
  return answer;
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
