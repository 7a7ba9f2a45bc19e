import { assertEquals } from "@std/assert";
import { LEDGER_VERSION, ledgerBytes, ledgerPath, readLedger } from "./ledger.ts";
import { realOs } from "../../fs/os.ts";
import { applyPlan } from "../apply/apply.ts";
import { planInstall } from "../plan/plan_install.ts";
import { requestFor, withHome } from "../../testing/scratch.ts";

Deno.test("readLedger() distinguishes absent, intact and damaged ledgers", () =>
  withHome({}, async (home) => {
    const { stateDir } = requestFor(home);
    assertEquals(await readLedger(realOs, stateDir), { kind: "absent" });
    await applyPlan(realOs, await planInstall(realOs, requestFor(home)));
    const whole = await readLedger(realOs, stateDir);
    assertEquals(whole.kind, "ok");
    if (whole.kind !== "ok") return;
    const { ledger } = whole;
    const damaged = [
      "",
      "{",
      "[]",
      "null",
      JSON.stringify({ ...ledger, version: LEDGER_VERSION + 1 }),
      JSON.stringify({ ...ledger, files: [{ path: 3 }] }),
      // A name that would lead out of the directory of copies.
      JSON.stringify({ ...ledger, files: [{ ...ledger.files[0], backup: "../../../etc/passwd" }] }),
      JSON.stringify({ ...ledger, links: "none" }),
    ];
    for (const text of damaged) {
      await Deno.writeTextFile(ledgerPath(stateDir), text);
      assertEquals((await readLedger(realOs, stateDir)).kind, "damaged", text.slice(0, 60));
    }
    await Deno.writeFile(ledgerPath(stateDir), ledgerBytes(ledger, stateDir));
    assertEquals(await readLedger(realOs, stateDir), whole);
  }));
