import { run } from "./run.ts";

/** Where Deno keeps what it downloads. */
export interface DenoDirs {
  readonly denoDir: string;
  readonly npmCache: string;
}

/** Reads the directories from `deno info`. */
export async function denoDirs(): Promise<DenoDirs> {
  const ended = await run(Deno.execPath(), ["info", "--json", "--no-config"], { timeoutMs: 30_000 });
  const info: unknown = JSON.parse(ended.stdout);
  if (typeof info === "object" && info !== null && "denoDir" in info && "npmCache" in info) {
    const { denoDir, npmCache } = info;
    if (typeof denoDir === "string" && typeof npmCache === "string") return { denoDir, npmCache };
  }
  throw new Error("deno info did not report its cache directories: is this Deno 2.7.11?");
}
