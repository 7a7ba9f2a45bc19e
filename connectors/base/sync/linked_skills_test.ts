import { assertEquals } from "@std/assert";
import { HARNESSES } from "../../registry.ts";
import { linkedSkills } from "./linked_skills.ts";
import { placeholderSite } from "../site/placeholder_site.ts";

Deno.test("linkedSkills() links nothing for a harness that reads ~/.agents itself", () => {
  for (const harness of HARNESSES) {
    const dir = harness.skillsDir(placeholderSite(harness));
    const linked = (workspace: string) => linkedSkills(harness, placeholderSite(harness, { workspace }));
    assertEquals(linked("/data/signet"), dir, harness.id);
    for (const own of ["/home/u/.agents", "/home/u/.agents/"]) {
      assertEquals(linked(own), harness.readsAgentSkills ? undefined : dir, harness.id);
    }
  }
});
