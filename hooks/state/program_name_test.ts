import { assertEquals } from "@std/assert";
import { programName } from "./program_name.ts";

Deno.test("a program is called as its file, and signet-connect where that has no name of ours", () => {
  const names: [string, string][] = [
    ["/home/u/.local/bin/signet-codex", "signet-codex"],
    ["/home/u/.local/bin/signet-claude-code (deleted)", "signet-claude-code"],
    ["C:\\Users\\u\\bin\\signet-pi.exe", "signet-pi"],
    ["/usr/bin/deno", "signet-connect"],
    ["", "signet-connect"],
  ];
  for (const [path, name] of names) assertEquals(programName(path), name, path);
});
