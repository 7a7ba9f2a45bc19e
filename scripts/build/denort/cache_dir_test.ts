import { assertEquals } from "@std/assert";
import { cacheDir } from "./cache_dir.ts";

Deno.test("cacheDir() is in the user's cache directory, or in the tree without a home", () => {
  const cases: [Record<string, string>, string, string][] = [
    [{ XDG_CACHE_HOME: "/x", HOME: "/home/u" }, "linux", "/x/signet-connectors"],
    [{ HOME: "/home/u" }, "linux", "/home/u/.cache/signet-connectors"],
    [{ HOME: "/Users/u" }, "darwin", "/Users/u/Library/Caches/signet-connectors"],
    [{ LOCALAPPDATA: "C:/u/Local", HOME: "C:/u" }, "windows", "C:/u/Local/signet-connectors"],
    [{}, "linux", "/tree/.cache/signet-connectors"],
  ];
  for (const [env, os, dir] of cases) assertEquals(cacheDir((name) => env[name], os, "/tree"), dir);
});
