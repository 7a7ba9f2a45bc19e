import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { run } from "../../scripts/build/run.ts";
import { type Surroundings, withSurroundings } from "../worlds/mcp/mcp_surroundings.ts";
import { BINARY } from "../worlds/mcp/server_process.ts";
import { HANG_MS } from "../../connectors/base/testing/until.ts";
import { listenAgain } from "../worlds/listen_again.ts";

function signet({ env, home }: Pick<Surroundings, "env" | "home">, args: string[], input?: string) {
  return run(BINARY, args, { env, clearEnv: true, cwd: home, input, timeoutMs: HANG_MS });
}

Deno.test("signet-pyagent remember and recall: from words and from standard input, for people and programs", async () => {
  await withSurroundings(async (place) => {
    const words = await signet(place, [
      "remember",
      "The staging database",
      "is called Heron",
      "--tags",
      "db,staging",
    ]);
    assertEquals([words.code, words.stdout, words.stderr], [0, "✓ Remembered as fact\n", ""]);
    const again = await signet(place, ["remember"], "The staging database is called Heron\n");
    assertEquals([again.code, again.stdout], [0, "✓ Already known; nothing was added\n"]);
    const piped = await signet(
      place,
      ["remember", "--json", "--project", "/home/u/proj"],
      'Say "$(hi)" & `stay`\n',
    );
    assertEquals([piped.code, JSON.parse(piped.stdout).status], [0, "stored"]);

    const found = await signet(place, ["recall", "staging", "database"]);
    assertEquals([found.code, found.stderr], [0, ""]);
    assertMatch(
      found.stdout,
      /^✓ 1 memory\n- The staging database is called Heron\n {2}\(fact · .* · tags db,staging · /,
    );
    const json = JSON.parse((await signet(place, ["recall", "--json", "--limit", "1"], "stay")).stdout);
    assertEquals([json.count, json.results[0].content], [1, 'Say "$(hi)" & `stay`']);
    const narrowed = await signet(place, ["recall", "database", "--tags", "other"]);
    assertEquals([narrowed.code, narrowed.stdout], [0, "✓ No matching memories\n"]);

    const remembered = place.daemon.requests({ path: "/api/memory/remember" });
    assertEquals(
      remembered.map(({ agent, warnings }) => [agent, warnings]),
      Array(3).fill(["nicholai/pi", []]),
    );
  });
});

Deno.test("signet-pyagent remember: what is stored while the daemon is down arrives once, later", async () => {
  await withSurroundings(async (place) => {
    const settings = `${place.home}/.config/signet/connectors/pyagent.json`;
    const there = await Deno.readTextFile(settings);
    // A port on which nothing listens yet.
    const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = closed.addr;
    closed.close();
    const away = `http://127.0.0.1:${port}`;
    await Deno.writeTextFile(settings, there.replace(place.url, away), { mode: 0o600 });

    const kept = await signet(place, ["remember", "The staging database is called Heron"]);
    assertEquals(kept.code, 0);
    assertStringIncludes(
      kept.stderr,
      `! The daemon at ${away} is not reachable: `,
    );
    assertStringIncludes(kept.stdout, "signet-pyagent flush");
    const recall = await signet(place, ["recall", "heron", "--json"]);
    assertEquals([recall.code, JSON.parse(recall.stdout).code], [7, 7]);

    const back = await listenAgain(() =>
      Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, place.daemon.app.fetch)
    );
    try {
      for (let round = 0; round < 2; round++) assertEquals((await signet(place, ["flush"])).code, 0);
      const found = JSON.parse((await signet(place, ["recall", "heron", "--json"])).stdout);
      assertEquals(found.results.length, 1);
    } finally {
      await back.shutdown();
    }
    assertEquals(place.daemon.requests({ path: "/api/memory/remember" }).length, 1);
  });
});

Deno.test("signet-pyagent remember in mode readonly is refused and sends nothing", async () => {
  await withSurroundings(async (place) => {
    const refused = await signet(place, ["remember", "x", "--mode", "readonly"]);
    assertEquals(refused.code, 4);
    assertEquals(place.daemon.requests({ path: "/api/memory/remember" }), []);
  });
});
