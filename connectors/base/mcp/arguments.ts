import { Arguments, type Field, type Tool } from "./tool.ts";

type Checked = { ok: true; args: Arguments } | { ok: false; message: string };
type Value = string | number | boolean | readonly string[];

/** Argument names that select an agent in Signet's own tools. Here the connector's settings decide. */
const IDENTITY = ["agent_id", "agentId", "from_agent_id", "fromAgentId"];

/**
 * Checks the arguments that a model passed. The message says what to do, because
 * the model reads it and retries. Lenient where the meaning is clear: `null` means
 * "not given", "5" is 5, and a list of tags becomes comma-separated tags.
 */
export function checkArguments(tool: Tool, raw: unknown, agentId: string): Checked {
  if (raw !== undefined && (typeof raw !== "object" || raw === null || Array.isArray(raw))) {
    return { ok: false, message: `${tool.name} takes its arguments as an object.` };
  }
  const values = new Map<string, Value>();
  for (const [name, value] of Object.entries(raw ?? {})) {
    if (value === null || value === undefined) continue;
    const field = Object.hasOwn(tool.input.fields, name) ? tool.input.fields[name] : undefined;
    if (!field) {
      if (IDENTITY.includes(name) && value === agentId) continue;
      return { ok: false, message: unknownArgument(tool, name, agentId) };
    }
    const result = read(field, value);
    if ("problem" in result) return { ok: false, message: `${name} ${result.problem}.` };
    values.set(name, result.value);
  }
  const missing = tool.input.required.filter((name) => isBlank(values.get(name)));
  if (missing.length > 0) return { ok: false, message: `${tool.name} needs ${missing.join(" and ")}.` };
  return { ok: true, args: new Arguments(values) };
}

function unknownArgument(tool: Tool, name: string, agentId: string): string {
  if (IDENTITY.includes(name)) {
    return `This connection belongs to the agent ${agentId}, and ${name} cannot change that. Omit ${name}.`;
  }
  const names = Object.keys(tool.input.fields);
  const takes = names.length > 0 ? `It takes ${names.join(", ")}.` : "It takes no arguments.";
  return `${tool.name} has no argument ${name.slice(0, 80)}. ${takes}`;
}

const isBlank = (value: Value | undefined) =>
  value === undefined || (typeof value === "string" && value.trim() === "");

function read(field: Field, value: unknown): { value: Value } | { problem: string } {
  switch (field.type) {
    case "string": {
      const text = Array.isArray(value) && value.every((item) => typeof item === "string")
        ? value.join(",")
        : value;
      if (typeof text !== "string") return { problem: "must be a string" };
      if (text.length > field.maxLength) return tooLong(text, field.maxLength);
      if (field.enum && !field.enum.includes(text)) {
        return { problem: `must be one of ${field.enum.join(", ")}` };
      }
      return { value: text };
    }
    case "integer":
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      const fits = typeof number === "number" && number >= field.minimum && number <= field.maximum &&
        (field.type === "number" || Number.isInteger(number));
      if (!fits) {
        const kind = field.type === "integer" ? "a whole number" : "a number";
        return { problem: `must be ${kind} from ${field.minimum} to ${field.maximum}` };
      }
      return { value: number };
    }
    case "boolean":
      if (value === "true" || value === "false") return { value: value === "true" };
      return typeof value === "boolean" ? { value } : { problem: "must be true or false" };
    case "array": {
      const list = typeof value === "string" ? [value] : pairs(value) ?? value;
      if (!Array.isArray(list) || !list.every((item) => typeof item === "string")) {
        return { problem: "must be a list of strings" };
      }
      if (list.length > field.maxItems) {
        return { problem: `has ${list.length} items; the limit is ${field.maxItems}` };
      }
      const long = list.find((item) => item.length > field.items.maxLength);
      return long === undefined ? { value: list } : tooLong(long, field.items.maxLength);
    }
  }
}

/** A map of numbers as `key=number`: the daemon's texts ask for ratings in that form. */
function pairs(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([key, number]) => `${key}=${String(number)}`);
}

function tooLong(text: string, most: number): { problem: string } {
  return {
    problem: `has ${text.length} characters; the limit is ${most}. Shorten it or split it`,
  };
}
