import { assert, assertEquals } from "@std/assert";
import { realOs } from "../../fs/os.ts";
import { acquire, lockPath, removeLock } from "./lock.ts";

/** A state directory as install.sh leaves it. */
async function afterInstallSh() {
  const home = await Deno.makeTempDir();
  const signet = `${home}/.local/state/signet`;
  await Deno.mkdir(signet, { recursive: true });
  await Deno.writeTextFile(`${signet}/release-source`, "https://signet.example\n");
  await Deno.writeTextFile(`${signet}/install.dirs`, '["~/.local/state"]\n');
  const lock = lockPath(`${signet}/pi`);
  await Deno.writeTextFile(lock, "");
  const names = () => [...Deno.readDirSync(signet)].map(({ name }) => name).sort();
  return { home, lock, names };
}

Deno.test("removeLock after a failed install keeps what install.sh recorded", async () => {
  const { lock, names } = await afterInstallSh();
  await removeLock(realOs, lock);
  assertEquals(names(), ["install.dirs", "release-source"]);
});

Deno.test("removeLock with forget removes the records, and names the directories that install.sh made", async () => {
  const { home, lock, names } = await afterInstallSh();
  const dirs = await removeLock(realOs, lock, { forget: true });
  assertEquals(names(), []);
  assertEquals(dirs, [`${home}/.local/state/signet`, `${home}/.local/state`]);
});

Deno.test("removeLock removes nothing while a harness is installed", async () => {
  const { lock, names } = await afterInstallSh();
  await Deno.mkdir(lock.replace(/install\.lock$/, "pi"));
  assertEquals(await removeLock(realOs, lock, { forget: true }), []);
  assertEquals(names(), ["install.dirs", "install.lock", "pi", "release-source"]);
});

Deno.test("removeLock names the directories of every line, in this home", async () => {
  const { home, lock } = await afterInstallSh();
  const signet = `${home}/.local/state/signet`;
  const lines = [
    { at: signet, dirs: [`${home}/.config`, "/elsewhere/config"] },
    // A home that this one was copied from.
    { at: "/home/old/.local/state/signet", dirs: ["/home/old/.config/signet", "/old/config", "~/../up"] },
    { at: signet, dirs: "none" },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  await Deno.writeTextFile(`${signet}/install.dirs`, `["~/.local/state"]\n${text}\n{"at":"cut`);
  assertEquals(await removeLock(realOs, lock, { forget: true }), [
    signet,
    `${home}/.local/state`,
    `${home}/.config`,
    "/elsewhere/config",
    `${home}/.config/signet`,
  ]);
});

Deno.test("acquire() after a long wait survives an uninstall that removes the directories", async () => {
  const { lock } = await afterInstallSh();
  const held = await acquire(realOs, lock);
  let polls = 0;
  const waiting = await acquire(realOs, lock, async () => {
    if (++polls === 10) {
      await held.release();
      throw new Error("removed", { cause: new Deno.errors.NotFound() });
    }
  });
  // Once more if another test starts a process just then: until it runs, it has our files open.
  assert(polls > 10, `${polls} polls`);
  await waiting.release();
});
