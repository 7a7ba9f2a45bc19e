import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { splitCommand } from "../connectors/base/hooks_config/hook_command.ts";
import { applyEdits, findEdits, removeEdits } from "../connectors/base/edit/config.ts";
import type { Edit, Json } from "../connectors/base/edit/edit.ts";
import { placeholderSite } from "../connectors/base/site/placeholder_site.ts";
import { programPlace } from "../connectors/base/programs/program_place.ts";
import { HARNESSES } from "../connectors/registry.ts";
import { credentialsPath, stateDir, type Surroundings } from "../hooks/state/paths.ts";

const ENV: Record<string, string> = {
  USERPROFILE: "C:\\Users\\Ana Lisa",
  APPDATA: "C:\\Users\\Ana Lisa\\AppData\\Roaming",
  LOCALAPPDATA: "C:\\Users\\Ana Lisa\\AppData\\Local",
};
const HOST: Surroundings = { os: "windows", env: (name) => ENV[name] };

/** Every string in what an edit writes. */
function strings(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each: Json | undefined) => strings(each));
}

function edits(harness: (typeof HARNESSES)[number], program: string): readonly Edit[] {
  const site = placeholderSite(harness, { os: "windows", env: ENV, program });
  return harness.targets(site).flatMap((target) => target.kind === "edit" ? target.edits : []);
}

for (const harness of HARNESSES) {
  const program = `C:\\Users\\Ana Lisa\\.local\\bin\\${harness.binary}.exe`;

  Deno.test(`${harness.id}: commands for Windows run an .exe, quoted for cmd.exe, for PowerShell or not at all`, () => {
    assertEquals(
      programPlace(harness.binary, HOST, { execPath: "D:\\x.exe", standalone: true }),
      { path: program, source: "D:\\x.exe" },
    );
    const site = placeholderSite(harness, { os: "windows", env: ENV, program });
    const written = harness.targets(site).flatMap((target) =>
      target.kind === "edit"
        ? target.edits.flatMap((edit) => "value" in edit ? strings(edit.value) : [])
        : target.kind === "file" || target.kind === "block"
        ? [target.text]
        : []
    );
    const calls = written.filter((text) => text.includes(harness.binary));
    assert(calls.length > 0, "nothing of what is written names our program");
    for (const text of calls) {
      if (text.includes("\n")) {
        // A plugin that starts the program itself has the path as a JavaScript string.
        assertStringIncludes(text, JSON.stringify(program));
      } else if (text !== program) {
        const command = text.replace(/^& /, "");
        assert(command.startsWith(`"${program}" hook `), text);
        assert(!text.includes("$(pwd)") && !text.includes("'"), text);
        assertEquals(splitCommand(command)?.slice(0, 2), [program, "hook"]);
      }
    }
  });

  Deno.test(`${harness.id}: on Windows, what install wrote is recognised as Signet's`, () => {
    const site = placeholderSite(harness, { os: "windows", env: ENV, program });
    for (const target of harness.targets(site)) {
      if (target.kind === "file") assert(target.owns(target.text), target.path);
      if (target.kind !== "edit") continue;
      const { text, made } = applyEdits(target.format, "", target.edits);
      assertEquals(
        new Set(findEdits(target.format, text, target.edits).map(({ state }) => state)),
        new Set(["present"]),
      );
      // By the marks alone, as where the record of the install is lost, and for another place of the program.
      const elsewhere = edits(harness, `D:\\tools\\${harness.binary}.exe`);
      assert(!removeEdits(target.format, text, elsewhere, made).includes(harness.binary), text);
    }
  });
}

Deno.test("pyagent: the working directory of a Windows hook is %CD%", () => {
  const [pyagent] = HARNESSES;
  if (!pyagent) throw new Error("the registry is empty");
  const program = "C:\\signet-pyagent.exe";
  const commands = edits(pyagent, program).flatMap((edit) => "value" in edit ? strings(edit.value) : [])
    .filter((text) => text.includes(" hook "));
  assertEquals(
    commands,
    ["session-start", "user-prompt-submit", "session-end"].map((event) =>
      `"C:\\signet-pyagent.exe" hook ${event} --project "%CD%"`
    ),
  );
});

Deno.test("our files on Windows are under APPDATA and LOCALAPPDATA", () => {
  assertEquals(
    credentialsPath("pi", HOST),
    "C:\\Users\\Ana Lisa\\AppData\\Roaming\\signet\\connectors\\pi.json",
  );
  assertEquals(stateDir("pi", HOST), "C:\\Users\\Ana Lisa\\AppData\\Local\\signet\\pi");
});
