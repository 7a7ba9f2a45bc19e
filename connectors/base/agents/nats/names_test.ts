import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { agentOf, readSubject, subjectFor, token } from "./names.ts";

Deno.test("token() turns every agent id into one part of a subject, and agentOf() turns it back", () => {
  fc.assert(fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (id) => {
    if (!id.isWellFormed()) return;
    const part = token(id);
    assertEquals(/^[A-Za-z0-9_=-]+$/.test(part), true, part);
    assertEquals(agentOf(part), id);
  }));
});

Deno.test("readSubject() reads what subjectFor() writes, and nothing else", () => {
  assertEquals(readSubject(subjectFor("bob", "nicholai/pi")), { from: "nicholai/pi", to: "bob" });
  assertEquals(readSubject(subjectFor(undefined, "a.b")), { from: "a.b" });
  for (
    const other of ["signet.to.bob", "signet.to.bob.*", "signet.to.bob.a.b", "signet.all.=ZZ", "$KV.x.y"]
  ) {
    assertEquals(readSubject(other), undefined, other);
  }
});
