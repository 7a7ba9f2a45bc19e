// The real daemon's ontology is built by a model. A capitalised name is a fair
// stand-in: "We chose Postgres for Larkspur" makes Postgres and Larkspur known.
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

/** The names in a text, each once, in their first spelling. */
export function namesIn(content: string): string[] {
  const found = new Map<string, string>();
  for (const [match] of content.matchAll(NAME)) {
    const words = match.split(" ");
    while (words[0] !== undefined && NOT_NAMES.has(words[0].toLowerCase())) words.shift();
    while (NOT_NAMES.has(words.at(-1)?.toLowerCase() ?? "")) words.pop();
    const name = words.join(" ");
    if (name.length >= 3 && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  }
  return [...found.values()].slice(0, 50);
}

/** Whether a prompt names the entity, as a word of its own, in any case. */
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
