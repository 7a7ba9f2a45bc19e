import { record, succeeded } from "../memory/daemon.ts";
import * as field from "./fields.ts";
import { failureReply } from "./reply.ts";
import type { Tool } from "./tool.ts";

/** Named as in the daemon's texts, which tell the model to use it. */
export const FEEDBACK_TOOL: Tool = {
  name: "memory_feedback",
  title: "Rate memories",
  description:
    "Rate how useful the memories were that Signet gave for a prompt, so that it learns what to give. Call it " +
    "when a <memory-feedback> block asks for ratings, with the session key from that block.",
  group: "memory",
  access: "write",
  idempotent: true,
  input: {
    fields: {
      session_key: field.text("The session key from the block", 500),
      ratings: {
        type: "array",
        description:
          "ID=SCORE for each memory, with a score from -1 (harmful) over 0 (not used) to 1 (helpful)",
        items: { type: "string", maxLength: 240 },
        maxItems: 50,
      },
    },
    required: ["session_key", "ratings"],
  },
  async run(args, context) {
    const feedback: Record<string, number> = {};
    for (const rating of args.list("ratings") ?? []) {
      const [, id = "", score = ""] = /^\s*(\S+)\s*[=:]\s*(-?[\d.]+)\s*$/.exec(rating) ?? [];
      const value = Number(score);
      if (id === "" || score === "" || !(value >= -1 && value <= 1)) {
        return {
          text: `ratings must be ID=SCORE with a score from -1 to 1, and "${rating}" is not.`,
          isError: true,
        };
      }
      feedback[id] = value;
    }
    const answer = await context.daemon.request("POST", "/api/memory/feedback", {
      sessionKey: args.need("session_key"),
      feedback,
    });
    if (!succeeded(answer)) return failureReply(answer, context);
    const { recorded, accepted } = record(answer.body) ?? {};
    // 0.145 records every rating, and accepts those of memories that this session was given.
    const count = typeof accepted === "number" ? accepted : recorded;
    return {
      text: typeof count === "number"
        ? `Recorded ${count} of ${Object.keys(feedback).length} ratings.`
        : "Recorded.",
    };
  },
};
