import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { addsMcpServer, isPlugin, pluginSettings, renderPlugin } from "./render.ts";
import ompExtension from "../../omp/signet.ts" with { type: "text" };
import kilo from "../../kilo/plugin.js" with { type: "text" };
import plugin from "../../opencode/plugin.mjs" with { type: "text" };
import index from "../../openclaw/index.js" with { type: "text" };
import handler from "../../openclaw/handler.js" with { type: "text" };
import extension from "../../pi/signet.ts" with { type: "text" };

const SOURCES = { plugin, index, handler, extension, kilo, ompExtension };
const PROGRAM = '/home/u/a "b" $&/signet';
const EVENTS = { events: { "session-end": { native: "dispose", timeoutMs: 1500 } } };
const SETTINGS = pluginSettings(EVENTS, { argv: (...args) => [PROGRAM, ...args] });

for (const [name, source] of Object.entries(SOURCES)) {
  Deno.test(`renderPlugin() makes one file from the ${name}, with the settings of this machine`, () => {
    const text = renderPlugin(source, SETTINGS);
    assert(!/from "\.{1,2}\//.test(text), "a relative import is left");
    assertStringIncludes(text, "class Session");
    const marked = text.split("\n").filter((line) => line.endsWith("// signet:settings"));
    assertEquals(marked.length, 1);
    assertStringIncludes(marked[0] ?? "", `"argv":${JSON.stringify([PROGRAM, "hook", "EVENT"])}`);
    assertStringIncludes(marked[0] ?? "", '"timeouts":{"session-end":1500}');
  });

  Deno.test(`isPlugin() recognises the ${name}, and no other file`, () => {
    const text = renderPlugin(source, SETTINGS);
    assert(isPlugin(source, text));
    assert(isPlugin(source, text.replaceAll("\n", "\r\n")));
    assert(!isPlugin(source, `// mine\n${text}`));
    assert(!isPlugin(source, text.split("\n")[0] + "\n// a user's notes on it\n"));
    for (const other of Object.values(SOURCES)) {
      if (other !== source) assert(!isPlugin(source, renderPlugin(other, SETTINGS)));
    }
  });
}

Deno.test("addsMcpServer() looks at the settings of a plugin only", () => {
  const mcp = { ...SETTINGS, mcp: [PROGRAM, "mcp"] };
  assert(addsMcpServer(renderPlugin(kilo, mcp)));
  assert(addsMcpServer(renderPlugin(kilo, mcp).replaceAll("\n", "\r\n")));
  assert(!addsMcpServer(renderPlugin(kilo, SETTINGS)));
  assert(!addsMcpServer('const config = {"mcp":["mine"]};'));
});
