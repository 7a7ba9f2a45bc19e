import { assertEquals } from "@std/assert";
import { PROFILE_NAMES, serve } from "../../mod.ts";
import { DEEP } from "../../../connectors/base/testing/deep.ts";
import { SEED, SEEDED } from "../../../connectors/base/testing/seed.ts";
import { checkDaemon } from "./check.ts";
import { render } from "./main.ts";

for (const [i, profile] of PROFILE_NAMES.entries()) {
  for (const auth of ["local", "team"] as const) {
    // Half of them, other ones in other runs; or all in a deep run.
    if (!DEEP && ((SEED + i) % 2 === 0) !== (auth === "team")) continue;
    Deno.test(`the mock as ${profile}, auth ${auth}, answers as that daemon does ${SEEDED}`, async () => {
      const server = serve({ profile, auth });
      const credential = auth === "local" ? undefined : server.daemon.createToken({ role: "admin" });
      try {
        const report = await checkDaemon({ url: server.url, credential, write: true });
        const differing = report.results.filter(({ outcome }) => outcome === "differs");
        assertEquals(differing, [], render(report));
        assertEquals([report.profile, report.left], [profile, []]);
      } finally {
        await server.shutdown();
      }
    });
  }
}

Deno.test("conformance without --write leaves nothing behind", async () => {
  const server = serve({ profile: "0.145" });
  try {
    const report = await checkDaemon({ url: server.url });
    assertEquals(report.results.filter(({ outcome }) => outcome === "differs"), []);
    const { state } = server.daemon;
    assertEquals([
      state.memories.listAll({ limit: 10, offset: 0, forgotten: true }).total,
      state.sessions.list(),
      state.presence.list(),
    ], [
      0,
      [],
      [],
    ]);
    assertEquals(state.agents.list().map(({ id }) => id), ["default"]);
  } finally {
    await server.shutdown();
  }
});

Deno.test("conformance reports what differs", async () => {
  const server = serve({ profile: "0.58" });
  try {
    const report = await checkDaemon({ url: server.url, profile: "0.145" });
    const text = render(report);
    const differing = report.results.filter(({ outcome }) => outcome === "differs");
    assertEquals(differing.some(({ fact }) => fact === "GET /api/auth/methods"), true);
    assertEquals(text.includes('answered  404 "404 Not Found"'), true, text);
    assertEquals(text.includes(`${differing.length} differences`), true);
  } finally {
    await server.shutdown();
  }
});
