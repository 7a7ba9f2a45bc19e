import { isObject } from "../../hooks/json.ts";

/** A required package. The version is given only if the lock has several. */
export interface Need {
  readonly name: string;
  readonly version: string;
}

/** A package in deno.lock. */
export interface Locked {
  readonly name: string;
  readonly version: string;
  /** `sha512-…` in base64, if the lock has it. */
  readonly integrity?: string;
  readonly needs: readonly Need[];
}

/** Reads the packages of a deno.lock, and the direct dependencies of the project. */
export function readLock(text: string): { packages: Locked[]; direct: Need[] } {
  const lock: unknown = JSON.parse(text);
  if (!isObject(lock) || !isObject(lock.npm)) {
    throw new Error("deno.lock has no npm packages: is it damaged?");
  }
  const packages = Object.entries(lock.npm).map(([key, value]) => {
    const { name, version } = splitKey(key);
    const entry = isObject(value) ? value : {};
    const needs = Array.isArray(entry.dependencies) ? entry.dependencies.map((d) => splitKey(String(d))) : [];
    const integrity = typeof entry.integrity === "string" ? entry.integrity : undefined;
    return { name, version, integrity, needs };
  });
  const workspace = isObject(lock.workspace) ? lock.workspace.dependencies : undefined;
  const direct = Array.isArray(workspace)
    ? workspace.map((d) => splitKey(String(d).replace(/^npm:/, "")))
    : [];
  return { packages, direct };
}

/** `@a/b@1.2.3_peer@4` is package `@a/b`, version `1.2.3`. */
function splitKey(key: string): Need {
  const at = key.indexOf("@", 1);
  if (at < 0) return { name: key, version: "" };
  return { name: key.slice(0, at), version: key.slice(at + 1).replace(/_.*$/, "") };
}
