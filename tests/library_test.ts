import { assert, assertEquals, assertMatch } from "@std/assert";
import { World } from "./worlds/world.ts";

const ROOT = new URL("..", import.meta.url).pathname;
/** Where this process has its modules, for a home that has none. */
const CACHE = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

function deno(world: World, args: string[]) {
  return world.run(Deno.execPath(), args, { cwd: ROOT, env: { DENO_DIR: CACHE, NO_COLOR: "1" } });
}

Deno.test("mod.ts: everything that it exports is documented", async () => {
  await using world = await World.create();
  const { code, err } = await deno(world, ["doc", "--lint", "mod.ts"]);
  assertEquals(code, 0, err);
});

// `deno task check` checks their types.
Deno.test("mod.ts: its examples run in a new home, and leave it as it was", async () => {
  await using world = await World.create();
  const { code, out, err } = await deno(world, ["test", "-A", "--no-check", "--doc", "mod.ts"]);
  assertEquals(code, 0, out + err);
  const count = Number(/(\d+) passed/.exec(out)?.[1]);
  const text = await Deno.readTextFile(`${ROOT}mod.ts`);
  assertEquals(count, text.match(/^ \* ```ts$/gm)?.length);
  assert(count > 0);
  assertMatch(out, /PyAgent .*\.pyagent\/config\.yaml/);
  assertEquals([...(await world.snapshot()).keys()], []);
});
