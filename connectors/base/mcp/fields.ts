import { MOST_CONTENT } from "../memory/remember.ts";
import type { Field } from "./tool.ts";

/** Fields that several tools share. The limits are the daemon's where it has any, otherwise generous. */
export const text = (description: string, maxLength = 500): Field => ({
  type: "string",
  description,
  maxLength,
});

export const limit = (most: number, usual: number): Field => ({
  type: "integer",
  description: `Maximum number of results (default: ${usual})`,
  minimum: 1,
  maximum: most,
});

export const content = (description: string): Field => text(description, MOST_CONTENT);

export const id = text("The memory's id, as shown by memory_search and memory_list", 200);

export const reason = text("The reason in a few words; recorded in the memory's history", 1000);

export const tags = text("Comma-separated tags: deploy,staging", 1000);

export const type = text("The kind of memory: fact, preference, decision, procedural, …", 60);

export const importance: Field = {
  type: "number",
  description: "Importance from 0 to 1 (the daemon's default is 0.8)",
  minimum: 0,
  maximum: 1,
};
