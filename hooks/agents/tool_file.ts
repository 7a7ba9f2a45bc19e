import { isObject } from "../json.ts";

/** The file that a tool works on, for the list of agents; undefined if it names none. */
export function toolFile(input: Record<string, unknown>): string | undefined {
  const fields = isObject(input.tool_input) ? input.tool_input : {};
  for (const name of ["file_path", "notebook_path", "filePath", "path"]) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value.slice(0, 500);
  }
  return undefined;
}
