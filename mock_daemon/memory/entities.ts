// The real daemon extracts entities with a model. Capitalised names are a good
// enough approximation: "We chose Postgres for Larkspur" has Postgres and Larkspur.
const NAME = /\b\p{Lu}[\p{L}\p{N}_.-]*[\p{L}\p{N}](?:[ ]\p{Lu}[\p{L}\p{N}_.-]*[\p{L}\p{N}])*/gu;

const NOT_NAMES = new Set(
  ("the a an and or but if in on at to of for from with by as is are was were be been it its this that these those " +
    "we i you he she they our my your his her their us me them not no yes do does did done use used uses using when " +
    "while where what which who why how all any some each every please remember note always never must should can " +
    "could will would may might have has had there here then than so because before after about into over under " +
    "user assistant system session summary today tomorrow yesterday monday tuesday wednesday thursday friday " +
    "saturday sunday january february march april june july august september october november december let one two " +
    "first second new old also only just more most other such same critical prefer prefers decided add fix make run")
    .split(" "),
);

/** Extracts the distinct names in a text, each in its first spelling. */
export function extractNames(content: string): string[] {
  const names = new Map<string, string>();
  for (const [match] of content.matchAll(NAME)) {
    const words = match.split(" ");
    while (words[0] !== undefined && NOT_NAMES.has(words[0].toLowerCase())) words.shift();
    while (NOT_NAMES.has(words.at(-1)?.toLowerCase() ?? "")) words.pop();
    const name = words.join(" ");
    if (name.length >= 3 && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].slice(0, 50);
}

/** Reports whether a prompt mentions the entity as a whole word, ignoring case. */
export function mentions(prompt: string, name: string): boolean {
  const at = prompt.toLowerCase();
  const wanted = name.toLowerCase();
  for (let from = at.indexOf(wanted); from !== -1; from = at.indexOf(wanted, from + 1)) {
    const before = at[from - 1] ?? " ";
    const after = at[from + wanted.length] ?? " ";
    if (!/[\p{L}\p{N}_]/u.test(before) && !/[\p{L}\p{N}_]/u.test(after)) return true;
  }
  return false;
}

const STOP_TERMS = new Set(
  "the and but for from with are was were been its this that these those you she they our your his her their them not yes does did when while where what which who why how all any some please can could will would may might have has had there here then than because about into over under"
    .split(" "),
);

/** The words of a text that are worth searching for. */
export function queryTerms(content: string): string[] {
  const words = [...content.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);
  return [...new Set(words)].filter((word) => word.length > 2 && !STOP_TERMS.has(word)).slice(0, 12);
}
