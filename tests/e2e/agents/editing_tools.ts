import { dirname } from "@std/path";
import type { Turn } from "../model/turn.ts";
import type { EditingTool } from "./locks.ts";
import type { MeshKit } from "./mesh_kit.ts";

export type ToolCall = NonNullable<Turn["tool"]>;
type Input = (path: string) => ToolCall["input"];
type First = EditingTool["first"];

/** What is in a file before a tool changes it. */
export const BEFORE = "line one\nline two\n";

/** A tool that writes whole files: once a new one, once one that exists. */
export function writing(name: string, input: Input, first?: First): EditingTool[] {
  const call = (path: string) => ({ name, input: input(path) });
  return [{ title: `${name} of a new file`, call }, { title: name, before: BEFORE, first, call }];
}

/** A tool that changes a part of a file. */
export function editing(name: string, input: Input, first?: First): EditingTool {
  return { title: name, before: BEFORE, first, call: (path) => ({ name, input: input(path) }) };
}

/** A tool that replaces the only cell of a notebook. */
export function editingNotebook(name: string, first: First): EditingTool {
  return {
    title: name,
    extension: ".ipynb",
    before: JSON.stringify({
      cells: [{
        cell_type: "code",
        id: "c1",
        execution_count: null,
        metadata: {},
        outputs: [],
        source: ["1"],
      }],
      metadata: { language_info: { name: "python" } },
      nbformat: 4,
      nbformat_minor: 5,
    }),
    first,
    call: (notebook_path) => ({
      name,
      input: { notebook_path, cell_id: "c1", new_source: "2", edit_mode: "replace" },
    }),
  };
}

/** Shell lines: two that can be read, and one that hides what it writes. */
export function shellTools(shell: MeshKit["shell"]): EditingTool[] {
  const line = (title: string, command: (path: string) => string, hidden = false): EditingTool => ({
    title,
    before: BEFORE,
    hidden,
    call: (path, request) => shell(request, command(path)),
  });
  return [
    line("a shell redirection", (path) => `echo changed > ${path}`),
    line("sed -i in a shell", (path) => `sed -i s/one/1/ ${path}`),
    line("a hidden shell write", (path) => `f=${path}; echo changed > "$f"`, true),
  ];
}

/** A shell line with a relative path, in a directory that the tool's input names. */
export function shellElsewhere(
  name: string,
  input: (command: string, directory: string) => ToolCall["input"],
): EditingTool {
  return {
    title: "a shell line in another directory",
    extension: "/x.txt",
    before: BEFORE,
    call: (path) => ({ name, input: input("echo changed > x.txt", dirname(path)) }),
  };
}

/** A patch that changes a file with `BEFORE`, as apply_patch reads it. */
export function patch(path: string): string {
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-line one\n+line 1\n line two\n*** End Patch\n`;
}

/** A patch that adds a file. */
export function addingPatch(path: string): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch\n`;
}
