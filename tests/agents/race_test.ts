import { assertEquals } from "@std/assert";
import { AgentSessions } from "../../hooks/agents/sessions/session.ts";
import { DEEP } from "../../connectors/base/testing/deep.ts";
import { sampleMessage } from "../../connectors/base/testing/sample_message.ts";
import { SEEDED, seededRandom } from "../../connectors/base/testing/seed.ts";
import { until } from "../../connectors/base/testing/until.ts";
import { ended, MeshHome, shownIds } from "../worlds/agents/mesh_home.ts";

const random = seededRandom();
const ATTENDED = { env: { SAMPLE_ATTENDED: "1" } };
const SENDS = DEEP ? 200 : 20;
const KILLS = DEEP ? 100 : 6;

/** Every message may be shown: the limits are for agents that talk too much, and have tests of their own. */
async function withoutLimits(): Promise<MeshHome> {
  const mesh = await MeshHome.make();
  await Deno.writeTextFile(
    `${mesh.home.path}/.config/signet/agents.json`,
    JSON.stringify({ perTenMinutes: 1e6 }),
  );
  await mesh.hook("session-start", { source: "startup" });
  await mesh.hook("user-prompt-submit", { prompt: "go" });
  return mesh;
}

/** Each message has a sender of its own: ten messages in a minute are the most of one. */
function sender(i: number) {
  return { from: { agentId: "work", harness: "pi", session: `peer-${i}`, machine: "m1", cwd: "app" } };
}

Deno.test(`${SENDS} messages around the ends of turns are each shown once ${SEEDED}`, async () => {
  await using mesh = await withoutLimits();
  const sent: string[] = [];
  const shown: string[] = [];
  const waiters: Promise<void>[] = [];
  while (sent.length < SENDS) {
    // As Claude Code does it: at the end of a turn both hooks start at once.
    const waiter = await mesh.start("wait-for-messages", {}, ATTENDED);
    waiters.push(
      ended(waiter).then(({ code, stderr }) => {
        assertEquals(code, stderr === "" ? 0 : 2);
        shown.push(...shownIds(stderr));
      }),
    );
    const turnEnd = mesh.hook("turn-end");
    const burst = Math.min(1 + Math.floor(random() * 8), SENDS - sent.length);
    const senders = Array.from({ length: burst }, async () => {
      await new Promise((resolve) => setTimeout(resolve, random() * 600));
      sent.push(mesh.send("x", sender(sent.length)).id);
    });
    const { stdout } = await turnEnd;
    shown.push(...shownIds(stdout));
    await Promise.all(senders);
    // The turn is over and something waits: then a waiter wakes the session, always. It may be the one
    // before, if this one has not registered yet.
    await until(
      "the session is woken",
      () => mesh.session?.status !== "idle" || mesh.inbox.count(mesh.id).waiting === 0,
    );
  }
  while (mesh.inbox.count(mesh.id).waiting > 0) {
    shown.push(...shownIds((await mesh.hook("user-prompt-submit", { prompt: "more" })).stdout));
  }
  await mesh.hook("session-end", { reason: "other" });
  await Promise.all(waiters);
  assertEquals(shown.length, new Set(shown).size, "none twice");
  assertEquals(shown.toSorted(), sent.toSorted(), "none lost");
});

Deno.test(`hooks and waiters that are killed at ${KILLS} random moments lose no message and leave no waiter ${SEEDED}`, async () => {
  await using mesh = await withoutLimits();
  const sent: string[] = [];
  const shown: string[] = [];
  const keep = (text: string) => shown.push(...shownIds(text));
  for (let i = 0; i < KILLS; i++) {
    sent.push(mesh.send("x", sender(i)).id);
    const isWaiter = random() < 0.5;
    if (isWaiter) new AgentSessions(mesh.dir).update(mesh.id, { status: "idle" });
    const event = isWaiter ? "wait-for-messages" : random() < 0.5 ? "post-tool" : "turn-end";
    const child = await mesh.start(event, {}, ATTENDED);
    const timer = setTimeout(() => {
      try {
        child.kill("SIGKILL");
      } catch {
        // It was faster.
      }
    }, random() * 500);
    const { stdout, stderr } = await ended(child);
    clearTimeout(timer);
    keep(stdout + stderr);
  }
  // What a killed process had claimed comes back after 30 s.
  const taken = `${mesh.inbox.dirOf(mesh.id)}/taken`;
  for await (const { name } of Deno.readDir(taken)) await Deno.utime(`${taken}/${name}`, 1, 1);
  for (let i = 0; i < sent.length && mesh.inbox.count(mesh.id).waiting > 0; i++) {
    keep((await mesh.hook("user-prompt-submit", { prompt: "go on" })).stdout);
  }
  assertEquals([...new Set(shown)].toSorted(), sent.toSorted());
  // A waiter that outlives its session would register for ever.
  const last = await mesh.start("wait-for-messages", {}, ATTENDED);
  await mesh.hook("session-end", { reason: "other" });
  assertEquals((await ended(last)).code, 0);
});

Deno.test("two agents that wait for each other both go on when one of them writes", async () => {
  await using mesh = await withoutLimits();
  const other = { ...mesh.id, key: "07e40000-0000-4000-8000-000000000002" };
  const input = { session_id: other.key };
  await mesh.hook("session-start", { ...input, source: "startup" });
  await mesh.hook("user-prompt-submit", { ...input, prompt: "go" });
  for (const session of [{}, input]) assertEquals((await mesh.hook("turn-end", session)).stdout, "");
  const mine = await mesh.start("wait-for-messages", {}, ATTENDED);
  const theirs = await mesh.start("wait-for-messages", input, ATTENDED);
  const first = mesh.send("are you done?");
  const woken = await ended(mine);
  assertEquals([woken.code, shownIds(woken.stderr)], [2, [first.id]]);
  const answer = sampleMessage({ text: "yes", replyTo: first.id });
  mesh.inbox.put(other, answer);
  const answered = await ended(theirs);
  assertEquals([answered.code, shownIds(answered.stderr)], [2, [answer.id]]);
});
