import { assertEquals } from "@std/assert";
import { HARMLESS_LINES, PLAIN_WRITES } from "../testing_lines.ts";
import { FILE_COMMANDS } from "./file_commands.ts";
import { mayNameFiles } from "./may_name_files.ts";
import { readShell } from "./read_shell.ts";
import { TEXT_COMMANDS } from "./text_commands.ts";

Deno.test("mayNameFiles: knows every command of the reader", () => {
  for (const name of [...Object.keys(FILE_COMMANDS), ...Object.keys(TEXT_COMMANDS)]) {
    if (name === "hostname") continue; // it writes no file
    for (const line of [`${name} x`, `/usr/bin/${name} x`, `true;${name} x`, `true\n${name} x`]) {
      assertEquals(mayNameFiles({ command: line }), true, line);
    }
  }
});

Deno.test("mayNameFiles: is true for every line with a file that the reader names", () => {
  let named = 0;
  for (const line of [...PLAIN_WRITES, ...HARMLESS_LINES]) {
    if (readShell(line, "/home/u/proj").targets.length === 0) continue;
    named++;
    assertEquals(mayNameFiles({ command: line }), true, line);
  }
  assertEquals(named >= PLAIN_WRITES.length, true, `${named} lines name a file`);
});

Deno.test("mayNameFiles: is false for lines that run or read something", () => {
  for (
    const line of ["deno test", "npm run build", "ls -la src", "cat README.md | head", "grep -r firm src"]
  ) {
    assertEquals(mayNameFiles({ command: line, description: "Run it" }), false, line);
  }
});

Deno.test("mayNameFiles: reads a list of words, a plain text, and no text at all", () => {
  assertEquals(mayNameFiles({ command: ["bash", "-lc", "echo x > a"] }), true);
  assertEquals(mayNameFiles("rm a"), true);
  assertEquals(mayNameFiles(undefined), false);
  assertEquals(mayNameFiles({ timeout: 5 }), false);
});
