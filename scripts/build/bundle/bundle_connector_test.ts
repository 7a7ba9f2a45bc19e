import { assertEquals, assertThrows } from "@std/assert";
import { joinBundles } from "./bundle_connector.ts";

Deno.test("joinBundles() prefixes the whole bundle and points the imports of commands at it", () => {
  const hook = new Map([
    ["main.js", `import { a } from "./chunk_1.js"; if (a) hook(); else await import("./cli/main.ts");`],
    ["chunk_1.js", `export const a = 1, inspector = () => import("./inspect.ts");`],
  ]);
  const whole = new Map([
    ["main.js", `import { b } from "./chunk_1.js"; await import("./cli_1.js"); const other = "./notes.js";`],
    ["chunk_1.js", "export const b = 2;"],
    ["cli_1.js", `import './chunk_1.js';`],
  ]);
  assertEquals(Object.fromEntries(joinBundles(hook, whole)), {
    "main.js": `import { a } from "./chunk_1.js"; if (a) hook(); else await import("./whole_main.js");`,
    "chunk_1.js": `export const a = 1, inspector = () => import("./whole_main.js");`,
    "whole_main.js":
      `import { b } from "./whole_chunk_1.js"; await import("./whole_cli_1.js"); const other = "./notes.js";`,
    "whole_chunk_1.js": "export const b = 2;",
    "whole_cli_1.js": `import './whole_chunk_1.js';`,
  });
});

Deno.test("joinBundles() rejects a hook bundle without the CLI import", () => {
  assertThrows(() => joinBundles(new Map([["main.js", "hook();"]]), new Map()), Error, "entry.ts");
});
