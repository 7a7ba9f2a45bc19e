import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { PROFILE_NAMES } from "../../mock_daemon/mod.ts";
import { ADMIN_PASSWORD, ANA, BOB, DaemonVersion, KEPT } from "../worlds/daemon/daemon_version.ts";
import { FaultyDaemon } from "../worlds/daemon/faulty_daemon.ts";

const HARNESSES = ["pyagent", "claude-code", "codex"];

for (const profile of PROFILE_NAMES) {
  Deno.test(`${profile}: install takes the agent's key, and no wrong, revoked or foreign one`, async () => {
    await using place = await DaemonVersion.create(profile);
    const { keys } = place.daemon.daemon.state;
    const revoked = place.key(ANA);
    for (const { id } of keys.list()) keys.revoke(id);
    const bad: [string, string, RegExp][] = [
      ["wrong", "sig_sk_000000000000_invented", /requires a valid API key \(HTTP 401/],
      ["revoked", revoked, /requires a valid API key \(HTTP 401/],
      ["foreign", place.key(BOB), /The key belongs to agent bob, not to ana/],
    ];
    for (const [name, key, said] of bad) {
      const before = await place.world.snapshot();
      const { code, err } = await place.install("pyagent", key);
      // 0.58 checks no key, and doctor says so.
      assertEquals(code, place.hasKeys ? 6 : 0, `${name}: ${err}`);
      if (!place.hasKeys) continue;
      assertMatch(err, said);
      assertStringIncludes(err, "Nothing was written");
      assertEquals(await place.world.snapshot(), before);
    }
    const good = await place.install("pyagent", place.key(ANA));
    assertEquals([good.code, good.err], [0, ""]);
    const doctor = await place.connect(["doctor", "pyagent"]);
    assertEquals(doctor.code, 0, doctor.out + doctor.err);
    assertEquals(doctor.out.includes("does not check keys"), !place.hasKeys);
    assertStringIncludes(doctor.out, place.hasKeys ? "Agent ana is shared" : "does not separate agents");
  });

  Deno.test(`${profile}: health, status and doctor name the agent that a key belongs to`, async () => {
    await using place = await DaemonVersion.create(profile);
    assertEquals((await place.install("pyagent", place.key(ANA))).code, 0);
    const path = ".config/signet/connectors/pyagent.json";
    const settings = JSON.parse(await place.world.read(path));
    const foreign = JSON.stringify({ ...settings, apiKey: place.key(BOB) });
    await Deno.writeTextFile(`${place.world.home}/${path}`, foreign);
    for (const command of ["health", "status", "doctor"]) {
      const { code, out, err } = await place.connect([command, "pyagent"]);
      assertEquals(code === 0, !place.hasKeys, `${command}: ${out}${err}`);
      if (place.hasKeys) assertStringIncludes(out + err, "belongs to agent bob, not to ana", command);
    }
  });

  for (const harness of HARNESSES) {
    Deno.test(`${profile}: a whole session of ${harness} is kept, and gets its text once`, async () => {
      await using place = await DaemonVersion.create(profile);
      assertEquals((await place.install(harness, place.key(ANA))).code, 0);
      const session_id = "0b1c7c5e-session";
      const start = await place.hook(harness, "session-start", { session_id, source: "startup" });
      assertEquals(start.code, 0);
      assertStringIncludes(start.out, "Be direct, be kind", "the identity is in the text");
      const prompt = await place.hook(harness, "user-prompt-submit", { session_id, prompt: "hello there" });
      assertEquals([prompt.code, prompt.out.includes("Be direct, be kind")], [0, false]);
      const resumed = await place.hook(harness, "session-start", { session_id, source: "resume" });
      assert(!resumed.out.includes("Be direct, be kind"), "a resumed session still has its text");
      const compacted = await place.hook(harness, "session-start", { session_id, source: "compact" });
      assertStringIncludes(compacted.out, "Be direct, be kind", "a compacted session has lost it");
      const talk = await place.conversation(harness);
      await place.hook(harness, "session-end", { session_id, reason: "other", ...talk });
      await place.connect(["flush", harness]);
      const kept = await place.kept(session_id);
      for (const turn of KEPT) assertStringIncludes(kept, turn);
    });
  }

  Deno.test(`${profile}: a compacted session without a note on disk gets its text from the daemon`, async () => {
    await using place = await DaemonVersion.create(profile);
    assertEquals((await place.install("claude-code", place.key(ANA))).code, 0);
    const session = { session_id: "s1", source: "startup" };
    await place.hook("claude-code", "session-start", session);
    await Deno.remove(`${place.world.home}/.local/state/signet/claude-code/sessions`, { recursive: true });
    const again = await place.hook("claude-code", "session-start", { ...session, source: "compact" });
    assertStringIncludes(again.out, "Be direct, be kind");
  });

  Deno.test(`${profile}: doctor leaves no memory, transcript or checkpoint behind`, async () => {
    await using place = await DaemonVersion.create(profile);
    for (const harness of HARNESSES) {
      assertEquals((await place.install(harness, place.key(ANA), "--trust-hooks")).code, 0);
      const doctor = await place.connect(["doctor", harness]);
      assertStringIncludes(doctor.out, "received every event and stored none", doctor.out + doctor.err);
    }
    const { state } = place.daemon.daemon;
    const count = (table: string) => state.store.sql(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    assertEquals([count("memories"), count("transcripts")], [0, 0]);
    const sessions = place.daemon.daemon.requests({ path: "/api/hooks/session-start" })
      .map(({ body }) => String(Object(body).sessionKey));
    assertEquals(sessions.length, HARNESSES.length);
    for (const session of sessions) assertEquals(await place.kept(session), "");
  });

  Deno.test(`${profile}: pi's doctor finds no fault, with checkpoints or without`, async () => {
    await using place = await DaemonVersion.create(profile);
    await place.world.write(".pi/agent/settings.json", "{}\n");
    const installed = await place.install("pi", place.key(ANA));
    assertEquals(installed.code, 0, installed.err);
    const doctor = await place.connect(["doctor", "pi"]);
    assertEquals(doctor.code, 0, doctor.out + doctor.err);
    const lacks = profile === "0.58";
    const checkpoints = place.daemon.daemon.requests({ path: "/api/hooks/session-checkpoint-extract" });
    assertEquals(checkpoints.map(({ status }) => status), [lacks ? 404 : 200]);
    assertStringIncludes(doctor.out, "The checkpoint hook ran");
    assertStringIncludes(doctor.out, "received every event and stored none");
    assertEquals(doctor.out.includes("This version of Signet has no checkpoint"), lacks, doctor.out);
  });

  Deno.test(`${profile}: one key serves several harnesses of one agent`, async () => {
    await using place = await DaemonVersion.create(profile);
    // Whichever connector it was made for.
    const key = place.key(ANA, "pi");
    for (const harness of HARNESSES) {
      const installed = await place.install(harness, key, "--trust-hooks");
      assertEquals(installed.code, 0, installed.err);
      const health = await place.connect(["health", harness]);
      assertEquals(health.code, 0, health.out + health.err);
      const session = { session_id: `session-of-${harness}`, source: "startup" };
      const start = await place.hook(harness, "session-start", session);
      assertStringIncludes(start.out, "Be direct, be kind", harness);
      const content = `the ${harness} harness writes about the Quokka list`;
      const [, stored = ""] = await place.tools(harness, [["memory_store", { content }]]);
      assertMatch(stored, /^Stored as /, harness);
    }
    // They are one agent, so each harness finds what the others have stored.
    for (const reader of HARNESSES) {
      const [, found = ""] = await place.tools(reader, [["memory_search", { query: "Quokka list" }]]);
      for (const writer of HARNESSES) assertStringIncludes(found, `the ${writer} harness writes`, reader);
    }
    const starts = place.daemon.daemon.requests({ path: "/api/hooks/session-start" });
    assertEquals(starts.map(({ status, body }) => [status, Object(body).agentId]), Array(3).fill([200, ANA]));
    for (const { id } of place.daemon.daemon.state.keys.list()) place.daemon.daemon.state.keys.revoke(id);
    for (const harness of HARNESSES) {
      const { code, out, err } = await place.connect(["health", harness]);
      // 0.58 has no keys: it ignores the one that is sent, so there is none to revoke.
      assertEquals(code === 0, !place.hasKeys, `${harness}: ${out}${err}`);
      if (place.hasKeys) assertStringIncludes(out + err, "(HTTP 401): api key revoked", harness);
    }
  });

  Deno.test(`${profile}: an event waits in the spool until the daemon itself confirms it`, async () => {
    await using place = await DaemonVersion.create(profile);
    assertEquals((await place.install("codex", place.key(ANA))).code, 0);
    const settings = ".config/signet/connectors/codex.json";
    const stored = await place.world.read(settings);
    await using stranger = new FaultyDaemon();
    stranger.answer = () => ({ status: "ok", login: "https://portal.example" });
    await Deno.writeTextFile(
      `${place.world.home}/${settings}`,
      JSON.stringify({ ...JSON.parse(stored), url: stranger.url }),
    );
    const session_id = "portal";
    const talk = await place.conversation("codex");
    await place.hook("codex", "session-end", { session_id, reason: "other", ...talk });
    const held = await place.connect(["flush", "codex"]);
    assertStringIncludes(held.out + held.err, "did not confirm the event");
    await Deno.writeTextFile(`${place.world.home}/${settings}`, stored);
    const flushed = await place.connect(["flush", "codex", "--rebind"]);
    assertEquals(flushed.code, 0, flushed.out + flushed.err);
    for (const turn of KEPT) assertStringIncludes(await place.kept(session_id), turn);
  });

  Deno.test(`${profile}: the MCP tools work, and memory_list shows no other agent's memories`, async () => {
    await using place = await DaemonVersion.create(profile);
    for (const agent of [ANA, BOB]) {
      // By design only an admin registers agents.
      if (profile === "design") place.daemon.daemon.state.agents.add(agent, "isolated", null);
      const args = ["--agent-id", agent, ...(place.hasKeys ? ["--isolated"] : [])];
      const { code, err } = await place.install("codex", place.key(agent), ...args);
      assertEquals(code, 0, err);
      const content = `${agent} keeps the Quokka list`;
      const [, stored = ""] = await place.tools("codex", [["memory_store", { content, type: "decision" }]]);
      assertMatch(stored, /^Stored as \w+ \(id [\w-]+\)\.$/);
    }
    const [names = "", list = "", search = "", bad = "", session = ""] = await place.tools("codex", [
      ["memory_list", {}],
      ["memory_search", { query: "Quokka list" }],
      ["memory_get", { id: ".." }],
      ["knowledge_expand_session", { entity_name: "Quokka" }],
    ]);
    assertStringIncludes(list, "bob keeps the Quokka list");
    assertStringIncludes(search, "bob keeps the Quokka list");
    assertStringIncludes(bad, "There is no memory with this id");
    assertStringIncludes(names, "memory_feedback");
    assertEquals(list.includes("ana keeps"), !place.hasKeys, list);
    assertEquals(list.includes("does not separate agents"), !place.hasKeys);
    assertEquals(names.includes("knowledge_expand_session"), place.hasKeys);
    assertStringIncludes(session, place.hasKeys ? "No earlier sessions" : "does not support this request");
  });

  Deno.test(`${profile}: a pinned memory is forgotten with force, by a key that api-key create made`, async () => {
    await using place = await DaemonVersion.create(profile);
    const create = ["api-key", "create", "--mode", "admin", "--name", "codex", "--connector", "codex"];
    const login = ["--admin-user", "root", "--admin-password-stdin", "--url", place.url, "--json"];
    const made = await place.connect([...create, "--agent-id", ANA, ...login], {
      input: `${ADMIN_PASSWORD}\n`,
    });
    assertEquals(made.code, place.hasKeys ? 0 : 1, made.err);
    if (!place.hasKeys) assertStringIncludes(made.err, "has no admin login");
    assert(!`${made.out}${made.err}`.includes(ADMIN_PASSWORD));
    const key = place.hasKeys ? JSON.parse(made.out).key : "none";
    assertEquals((await place.install("codex", key)).code, 0);
    const [, stored = ""] = await place.tools("codex", [["memory_store", { content: "pin", pinned: true }]]);
    const id = /id ([\w-]+)/.exec(stored)?.[1] ?? "";
    const forget: [string, Record<string, unknown>] = ["memory_forget", { id, reason: "old" }];
    const [, refused = ""] = await place.tools("codex", [forget]);
    assertStringIncludes(refused, "pass force: true");
    const [, still = ""] = await place.tools("codex", [["memory_list", {}]]);
    assertStringIncludes(still, id, "a refused request forgets nothing");
    const [, forgot] = await place.tools("codex", [["memory_forget", { id, reason: "old", force: true }]]);
    assertEquals(forgot, `Forgot ${id}.`);
    // 0.58 still lists what it has forgotten.
    const [, listed = "", read = ""] = await place.tools("codex", [
      ["memory_list", {}],
      ["memory_get", { id }],
    ]);
    assertEquals([listed.includes(id), read.includes("pin")], [false, false], listed + read);
    assertEquals((await place.world.sh("grep -rl 'open sesame' . || true")).out, "");
  });

  Deno.test(`${profile}: key commands explain a wrong password, a key that is no admin's, and the limit`, async () => {
    await using place = await DaemonVersion.create(profile);
    if (!place.hasKeys) {
      const { code, err } = await place.connect(["api-key", "list", "--mode", "admin", "--url", place.url]);
      assertEquals(code, 1);
      assertStringIncludes(err, "Signet 0.58 has no API keys");
      return;
    }
    const list = (flags: string[], input: string) =>
      place.connect(["api-key", "list", "--mode", "admin", "--url", place.url, ...flags], { input });
    const wrong = await list(["--admin-user", "root", "--admin-password-stdin"], "closed sesame");
    assertEquals(wrong.code, 6);
    assertStringIncludes(wrong.err, "does not accept this admin name and password");
    const agent = await list(["--api-key-stdin"], place.key(ANA));
    assertEquals([agent.code, agent.err.includes("--admin-user NAME")], [6, true], agent.err);
    let ran = await list(["--api-key-stdin"], place.adminKey);
    assertEquals(ran.code, 0, ran.err);
    for (let call = 0; call < 20 && ran.code === 0; call++) {
      ran = await list(["--api-key-stdin"], place.adminKey);
    }
    // Only the real daemon limits its admin.
    assertEquals(ran.err.includes("wait a minute"), profile === "0.145", ran.err);
  });
}
