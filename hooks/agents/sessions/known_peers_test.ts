import { assertEquals } from "@std/assert";
import { knownPeers, rememberPeers } from "./known_peers.ts";

const DAY = 24 * 3600 * 1000;
const PEER = { key: "c0de", harness: "codex", agentId: "work", project: "/home/v/app" };

Deno.test("knownPeers() has what an agent last heard of, for a day", async () => {
  const dir = await Deno.makeTempDir();
  try {
    assertEquals(knownPeers(dir, "work"), []);
    rememberPeers(dir, "work", [PEER], 1_000);
    assertEquals(knownPeers(dir, "work", 1_000 + DAY), [PEER]);
    assertEquals(knownPeers(dir, "work", 1_001 + DAY), [], "too old");
    assertEquals(knownPeers(dir, "work", 0), [], "the clock was set back");
    assertEquals(knownPeers(dir, "home", 1_000), [], "another agent");
    rememberPeers(dir, "work", [], 2_000);
    assertEquals(knownPeers(dir, "work", 2_000), []);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("rememberPeers() does nothing where there are no agents", async () => {
  const home = await Deno.makeTempDir();
  try {
    rememberPeers(`${home}/agents`, "work", [PEER]);
    assertEquals([...Deno.readDirSync(home)], []);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
