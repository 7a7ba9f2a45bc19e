import { EXIT, UserError } from "../cli/command.ts";

/** More words would not make a search better. */
const MAX_TERMS = 64;
/** What the tokenizer of FTS5 makes words of. A term without any would match nothing. */
const WORD = /[\p{L}\p{N}\p{Co}]/u;
/** Half of all words can begin with one letter, and no index would help. */
const BEGINNING = /[\p{L}\p{N}\p{Co}]{2}\**$/u;

/**
 * What people type as an FTS5 expression: words that must all occur, `OR` between
 * alternatives, "phrases", and `word*` for a beginning. Every term is quoted, so that
 * no input is an error of syntax.
 */
export function searchExpression(input: string): string {
  const alternatives: string[][] = [[]];
  // deno-lint-ignore no-control-regex -- a NUL would end the expression
  const clean = input.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, " ");
  let count = 0;
  for (const [token, phrase, star] of clean.matchAll(/"([^"]*)"?(\*)?|[^\s"]+/g)) {
    if (token === "OR" || token === "|") alternatives.push([]);
    else if (token !== "AND" && token !== "&") {
      const word = phrase ?? token;
      if (!WORD.test(word)) continue;
      const isBeginning = (phrase === undefined ? token.endsWith("*") : star !== undefined) &&
        BEGINNING.test(word);
      alternatives.at(-1)?.push(`"${word}"${isBeginning ? "*" : ""}`);
      count++;
    }
  }
  if (count === 0) {
    throw new UserError(
      "There is no word to search for.",
      EXIT.usage,
      'history search "lock timeout" OR lease',
    );
  }
  if (count > MAX_TERMS) throw new UserError(`A search can have ${MAX_TERMS} words.`, EXIT.usage);
  return alternatives.filter((terms) => terms.length > 0)
    .map((terms) => `(${terms.join(" AND ")})`).join(" OR ");
}
