import type { JsonObject } from "../json.ts";
import { readerOf } from "../http/call.ts";
import { mentions, queryTerms } from "../memory/entities.ts";
import type { Hook } from "../routes/hook.ts";
import type { State } from "../state.ts";
import type { Attribute } from "../store/attributes.ts";
import { dateHeader, memoryLine } from "./inject.ts";

/** What a daemon answers to a prompt, besides `sessionKnown`. */
export type PromptRule = (state: State, hook: Hook, prompt: string) => JsonObject;

/** design: the memories of every entity that the prompt mentions. */
export const designPrompt: PromptRule = (state, hook, prompt) => {
  const named = state.memories.mentionedIn(prompt, readerOf(hook.call));
  const ids = new Set(named.flatMap(({ memories }) => memories.map(({ id }) => id)));
  const inject = named.map(({ name, memories }) =>
    [
      `[signet:context | entity="${name}" | results=${memories.length} | engine=entity-context]`,
      ...memories.map((memory) => `- ${memory.content}`),
    ].join("\n")
  ).join("\n\n");
  return {
    inject,
    memoryCount: ids.size,
    queryTerms: named.map(({ name }) => name).join(" "),
    engine: named.length === 0 ? "no-entity" : "entity-context",
  };
};

const MIN_SCORE = 12;

/** 8 for each word, 0.35 for each character, and a little for each mention. */
function score(entity: string, mentionCount: number): number {
  return 8 * entity.split(" ").length + 0.35 * entity.length + Math.log(1 + mentionCount);
}

function shareWord(attribute: Attribute, rest: ReadonlySet<string>): boolean {
  return queryTerms(`${attribute.content} ${attribute.path}`).some((word) => rest.has(word));
}

/**
 * 0.145: attributes of persons and projects that score high enough, if the rest of
 * the prompt shares a word with them. Most prompts get nothing.
 */
export const scoredPrompt: PromptRule = (state, hook, prompt) => {
  const terms = queryTerms(prompt);
  const none = (engine: string) => ({ inject: "", memoryCount: 0, queryTerms: terms.join(" "), engine });
  if (terms.length === 0) return { inject: "", memoryCount: 0, engine: "low-signal" };
  const known = state.attributes.entities(hook.agentId)
    .filter(({ type, label }) => (type === "person" || type === "project") && mentions(prompt, label))
    .map((entity) => ({ ...entity, score: score(entity.label, entity.mentions) }))
    .sort((a, b) => b.score - a.score);
  const best = known[0]?.score ?? 0;
  const chosen = known.filter((entity) => entity.score >= Math.max(MIN_SCORE, 0.45 * best)).slice(0, 2);
  if (chosen.length === 0) return none("no-entity");
  const hits = chosen.flatMap(({ label }) => {
    const own = new Set(queryTerms(label));
    const rest = new Set(terms.filter((term) => !own.has(term)));
    return state.attributes.about(hook.agentId, label).filter((attribute) => shareWord(attribute, rest));
  });
  if (hits.length === 0) return none("no-aspect-hit");
  const lines = hits.map(({ label, path, content, memoryId }) =>
    `- [attribute] ${label} / ${path}: ${content} (memory:${memoryId})`
  );
  return {
    ...none("entity-context"),
    inject: `${dateHeader(state.clock())}\n\n## Relevant Entity Context\n\n${lines.join("\n")}\n`,
    memoryCount: new Set(hits.map(({ memoryId }) => memoryId)).size,
  };
};

const RECALL_CHARS = 500;

/** 0.58: the best matches of a search over everyone's memories, each once in a session. */
export const recallPrompt: PromptRule = (state, hook, prompt) => {
  const date = dateHeader(state.clock());
  const terms = queryTerms(prompt).join(" ");
  const seen = state.sessions.recalled(hook.agentId, `prompt:${hook.key ?? ""}`);
  let left = RECALL_CHARS;
  const found = state.memories.search(terms, readerOf(hook.call), { limit: 5, exclude: seen })
    .filter((memory) => memory.score >= 0.4)
    .filter((memory) => (left -= memory.content.length) > 0);
  if (found.length === 0) return { inject: `${date}\n`, memoryCount: 0 };
  if (hook.key !== undefined) { for (const { id } of found) seen.add(id); }
  const inject = [
    `${date}\n`,
    `[signet:recall | query="${terms}" | results=${found.length} | engine=hybrid]`,
    ...found.map(memoryLine),
    "<memory-feedback>",
    "Rate injected memories using the mcp__signet__memory_feedback tool. " +
    `Pass session_key "${hook.key}" and a ratings map of memory ID to score (-1 to 1).`,
    `IDs: ${found.map(({ id }) => id).join(", ")}`,
    "</memory-feedback>",
  ].join("\n");
  return { inject, memoryCount: found.length, queryTerms: terms, engine: "hybrid" };
};
