import { openDatabase } from "../../connectors/base/history/database.ts";
import { transaction } from "../../connectors/base/history/sqlite_file.ts";
import type { Filter } from "../../connectors/base/history/filter.ts";
import { searchMessages } from "../../connectors/base/history/messages.ts";
import { searchExpression } from "../../connectors/base/history/search_query.ts";
import { inserter } from "../../connectors/base/history/take_up.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { stats, type Target } from "./stats.ts";

const ROWS = 100_000;
const LIMIT_MS = 50;
const ROUNDS = 5;
const WORDS = 20_000;

/** A word in every row, in few, in none; words together, alternatives, a phrase, a beginning, a filter. */
const SEARCHES: readonly [input: string, filter: Partial<Filter>][] = [
  ["common", {}],
  ["w17", {}],
  ["zebra", {}],
  ["common w17", {}],
  ["w17 OR w4711 OR common", {}],
  ['"common words"', {}],
  ["w1*", {}],
  ["w123*", {}],
  ["common", { agent: "agent7" }],
  ["w17", { agent: "nobody", since: 1 }],
];

/** How long the slowest search of 100,000 messages takes in the database, as a share of 50 ms. */
export function historySearch(): Target {
  const dir = Deno.makeTempDirSync({ prefix: "signet-bench-history-" });
  const database = openDatabase(dir);
  try {
    transaction(database, () => fill(inserter(database)));
    const medians = SEARCHES.map(([input, filter]) => {
      const times = Array.from({ length: ROUNDS + 1 }, () => {
        const started = performance.now();
        searchMessages(database, searchExpression(input), { limit: 20, ...filter });
        return performance.now() - started;
      });
      // The first fills the page cache.
      return stats(times.slice(1)).median;
    });
    const name = `slowest search of ${ROWS.toLocaleString("en")} messages / ${LIMIT_MS} ms`;
    return { name, ratio: Math.max(...medians) / LIMIT_MS, limit: 1 };
  } finally {
    database.close();
    Deno.removeSync(dir, { recursive: true });
  }
}

function fill(insert: ReturnType<typeof inserter>): void {
  // The same texts in every run.
  let random = 1;
  const word = () => `w${(random = (random * 48_271) % 2_147_483_647) % WORDS}`;
  for (let i = 0; i < ROWS; i++) {
    const text = `common words ${Array.from({ length: 15 }, word).join(" ")}`;
    const from = { agentId: `agent${i % 50}`, session: `s${i % 500}`, harness: "codex", cwd: "app" };
    const message = sampleMessage({ at: i, from, text });
    insert({ at: i, event: "put", id: message.id, session: `r${i % 500}`, harness: "pi", message });
  }
}
