import { assertEquals } from "@std/assert";
import { jsonDocument } from "./json_document.ts";

Deno.test("jsonDocument() writes every key in snake_case and leaves values and names alone", () => {
  const data = {
    nextSteps: ["runDoctor"],
    hooks: [{ lastFired: "now", medianMs: 3 }],
    "session-start": "yes",
    "/home/u/aB": 1,
    missing: undefined,
    already_snake: { agentId: null },
  };
  assertEquals(JSON.parse(jsonDocument(data)), {
    next_steps: ["runDoctor"],
    hooks: [{ last_fired: "now", median_ms: 3 }],
    "session-start": "yes",
    "/home/u/aB": 1,
    already_snake: { agent_id: null },
  });
});
