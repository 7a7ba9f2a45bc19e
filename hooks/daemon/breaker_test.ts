import { assertEquals } from "@std/assert";
import { Breaker, BREAKER_MS } from "./breaker.ts";

const URL_A = "http://127.0.0.1:1";

async function withDir(test: (dir: string) => void | Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await test(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("Breaker skips the network for half a minute after a timeout, then lets one through", () =>
  withDir((dir) => {
    let now = 1_000_000;
    const breaker = () => new Breaker(dir, URL_A, () => now);
    assertEquals(breaker().skip(2000), false);
    breaker().timedOut();
    assertEquals(breaker().skip(2000), true);
    now += BREAKER_MS - 1;
    assertEquals(breaker().skip(2000), true);
    now += 2;
    assertEquals(breaker().skip(2000), false, "the pause is over");
    assertEquals(breaker().skip(2000), true, "while the first one tries, others wait");
    now += 2001;
    assertEquals(breaker().skip(2000), false);
  }));

Deno.test("Breaker closes when the daemon answers", () =>
  withDir((dir) => {
    let now = 1_000_000;
    new Breaker(dir, URL_A, () => now).timedOut();
    now += BREAKER_MS + 1;
    const trying = new Breaker(dir, URL_A, () => now);
    trying.skip(2000);
    trying.answered();
    assertEquals(new Breaker(dir, URL_A, () => now).state(), { open: false, leftMs: 0 });
  }));

Deno.test("Breaker of one daemon does not stop another", () =>
  withDir((dir) => {
    new Breaker(dir, URL_A).timedOut();
    assertEquals(new Breaker(dir, "http://127.0.0.1:2").skip(1), false);
  }));

Deno.test("Breaker is closed after the clock was set back", () =>
  withDir((dir) => {
    new Breaker(dir, URL_A, () => 2_000_000_000).timedOut();
    assertEquals(new Breaker(dir, URL_A, () => 1_000_000_000).skip(1), false);
  }));

Deno.test("Breaker without a state directory is always closed", () => {
  const breaker = new Breaker(undefined, URL_A);
  breaker.timedOut();
  assertEquals(breaker.skip(1), false);
});

Deno.test("Breaker ignores a file that is not its own", () =>
  withDir((dir) => {
    for (const text of ["", "[]", "{", '{"url":"http://127.0.0.1:1","until":"soon"}']) {
      Deno.writeTextFileSync(`${dir}/breaker.json`, text);
      assertEquals(new Breaker(dir, URL_A).skip(1), false, text);
    }
  }));
