import { FORMATS, largeConfig, oneConfig } from "../../connectors/base/testing/large_configs.ts";
import { withHome } from "../../connectors/base/testing/scratch.ts";
import { stripTags } from "../../hooks/context_text/strip_tags.ts";
import { stats, type Target } from "./stats.ts";

const ROUNDS = 5;
/** How many times larger the large input is. */
const FACTOR = 10;
/** Work that grows with its input takes FACTOR times as long, and some; work that grows with the square far more. */
const LIMIT = 2 * FACTOR;

/** What a user could make large: it must take time in proportion, as a ratio measured in one run. */
export async function growth(): Promise<Target[]> {
  const result: Target[] = [];
  for (const format of FORMATS) {
    const small = largeConfig(format, 1_000_000 / FACTOR);
    const large = largeConfig(format, 1_000_000);
    const name = `install into 1 MB of ${format} / 100 kB`;
    result.push(await compare(name, (text) => timeInstall(format, text), small, large));
  }
  const tags = (count: number) => "<m>".repeat(count);
  const strip = (text: string) => {
    const started = performance.now();
    stripTags(text, ["m"]);
    return Promise.resolve(performance.now() - started);
  };
  const hostile = "prompt of 1,000,000 open tags / 100,000";
  result.push(await compare(hostile, strip, tags(1_000_000 / FACTOR), tags(1_000_000)));
  return result;
}

async function compare(
  name: string,
  time: (text: string) => Promise<number>,
  small: string,
  large: string,
): Promise<Target> {
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const [smallMs, largeMs] = [await time(small), await time(large)];
    // The first round compiles the code, and does not count.
    if (round < 0) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  return { name, ratio: stats(times.large).median / stats(times.small).median, limit: LIMIT };
}

async function timeInstall(format: typeof FORMATS[number], text: string): Promise<number> {
  let ms = NaN;
  await withHome({}, async (home) => {
    const path = `${home}/large.${format}`;
    await Deno.writeTextFile(path, text);
    const { install } = oneConfig(home, path, format);
    const started = performance.now();
    await install();
    ms = performance.now() - started;
  });
  return ms;
}
