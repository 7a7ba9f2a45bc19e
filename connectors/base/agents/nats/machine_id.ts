import { fnv } from "../../../../hooks/agents/dir.ts";
import { readStateObject, remove, unique } from "../../../../hooks/state/state_file.ts";

/** This home on this machine, as a NATS server knows it. */
export interface MachineId {
  /** Names what this machine has received so far. A secret: whoever knows it could take messages to all away. */
  readonly consumer: string;
  /** Names it to others. */
  readonly place: string;
}

/** Reads the id of this machine, and makes it at first. `dir` is the directory of the mesh. */
export function machineId(dir: string, machine: string): MachineId {
  const path = `${dir}/nats.json`;
  const { consumer, place } = read(path) ?? create(path);
  // A home that was copied to another machine is another one.
  const name = fnv(machine, 0x811c9dc5);
  return { consumer: `${consumer}-${name}`, place: `${place}-${name}` };
}

function read(path: string): MachineId | undefined {
  const { consumer, place } = readStateObject(path, 4096) ?? {};
  const isId = (value: unknown): value is string =>
    typeof value === "string" && /^[0-9a-f-]{8,64}$/.test(value);
  return isId(consumer) && isId(place) ? { consumer, place } : undefined;
}

function create(path: string): MachineId {
  const made = { consumer: crypto.randomUUID(), place: crypto.randomUUID().slice(0, 13) };
  const temporary = `${path}.${unique()}.tmp`;
  Deno.writeTextFileSync(temporary, JSON.stringify({ v: 1, ...made }), { createNew: true, mode: 0o600 });
  try {
    Deno.linkSync(temporary, path);
    return made;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    // Another process was faster, or the file is unusable.
    const other = read(path);
    if (other !== undefined) return other;
    Deno.renameSync(temporary, path);
    return made;
  } finally {
    remove(temporary);
  }
}
