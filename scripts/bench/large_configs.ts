import type { Format } from "../../connectors/base/edit/edit.ts";
import { FORMATS, largeConfig, oneConfig } from "../../connectors/base/testing/large_configs.ts";
import { withHome } from "../../connectors/base/testing/scratch.ts";
import { stats, type Target } from "./stats.ts";

const CHARACTERS = 20_000_000;
/** Parsing 20 MB of JSON takes about a third of a second where an install into it may take 5 s. */
const LIMIT = 15;

/** How long an install into a 20 MB config takes, and an uninstall from it, compared with parsing JSON of that size in the same run. */
export async function largeConfigs(): Promise<Target[]> {
  const json = largeConfig("json", CHARACTERS);
  const parse = () => timeOf(() => void JSON.parse(json));
  const result: Target[] = [];
  for (const format of FORMATS) {
    const parsing = [await parse()];
    const { install, uninstall } = await measure(format);
    parsing.push(await parse(), await parse());
    const { median } = stats(parsing);
    result.push(
      {
        name: `install into 20 MB of ${format} / JSON.parse of 20 MB`,
        ratio: install / median,
        limit: LIMIT,
      },
      {
        name: `uninstall from 20 MB of ${format} / JSON.parse of 20 MB`,
        ratio: uninstall / median,
        limit: LIMIT,
      },
    );
  }
  return result;
}

async function measure(format: Format): Promise<{ install: number; uninstall: number }> {
  let times = { install: NaN, uninstall: NaN };
  await withHome({}, async (home) => {
    const path = `${home}/large.${format}`;
    await Deno.writeTextFile(path, largeConfig(format, CHARACTERS));
    const config = oneConfig(home, path, format);
    times = { install: await timeOf(config.install), uninstall: await timeOf(config.uninstall) };
  });
  return times;
}

async function timeOf(work: () => void | Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
