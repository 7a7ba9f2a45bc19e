import { HARNESSES } from "../../connectors/registry.ts";

const WIDTH = 80;
const INDENT = " ".repeat(23);
const LIST = /(?<=^ {2}CONNECTOR {12})[\s\S]*?(?=\n {23}or connect, )/m;

/** install.sh with the connectors of the registry in its usage text. */
export function connectorList(script: string): string {
  const lines = [""];
  for (const [index, { id }] of HARNESSES.entries()) {
    const word = index < HARNESSES.length - 1 ? `${id},` : id;
    const line = `${lines.at(-1)}${lines.at(-1) === "" ? "" : " "}${word}`;
    if (INDENT.length + line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  if (!LIST.test(script)) throw new Error("install.sh: the usage text has no list of connectors");
  return script.replace(LIST, () => lines.join(`\n${INDENT}`));
}
