import { MOST_CONTENT } from "../memory/remember.ts";
import type { Field } from "./tool.ts";

/** Fields that several tools share. The limits are the daemon's where it has one, else generous. */
export const text = (description: string, maxLength = 500): Field => ({
  type: "string",
  description,
  maxLength,
});

export const limit = (most: number, usual: number): Field => ({
  type: "integer",
  description: `How many at most (default ${usual})`,
  minimum: 1,
  maximum: most,
});

export const content = (description: string): Field => text(description, MOST_CONTENT);

export const id = text("The memory's id, as memory_search and memory_list show it", 200);

export const reason = text("Why, in a few words; kept in the memory's history", 1000);

export const tags = text("Tags, separated by commas: deploy,staging", 1000);

export const type = text("The kind of memory: fact, preference, decision, procedural, …", 60);

export const importance: Field = {
  type: "number",
  description: "How much it matters, from 0 to 1 (the daemon's usual value is 0.8)",
  minimum: 0,
  maximum: 1,
};
