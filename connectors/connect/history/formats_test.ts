import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { formatMessages } from "./formats.ts";
import type { HistoryMessage } from "../../base/history/messages.ts";

function sample(text: string): HistoryMessage {
  return {
    id: "m_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    at: "2026-11-17T10:00:00.000Z",
    kind: "message",
    priority: 3,
    from: "codex-3f9a",
    fromAgent: "work",
    verified: true,
    to: "claude-c1a0",
    state: "seen",
    text,
    events: [],
  };
}

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

/** Reads CSV as RFC 4180 has it. */
function parseCsv(csv: string): string[][] {
  return csv.split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/).slice(0, -1).map((row) =>
    [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)].map(([, quoted, plain]) =>
      quoted?.replaceAll('""', '"') ?? plain ?? ""
    )
  );
}

Deno.test("formatMessages() writes CSV that no spreadsheet runs", () => {
  const hostile = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    " =cmd|' /C calc'!A0",
    "\t=1",
    "\n=1",
    "＝1",
    "\u001b[0m=1",
  ];
  for (const text of hostile) {
    const [, row = []] = parseCsv(formatMessages([sample(text)], "csv"));
    assertMatch(row.at(-1) ?? "", /^'/, JSON.stringify(text));
  }
});

Deno.test("formatMessages() keeps rows and cells of CSV apart, whatever the text is", () => {
  fc.assert(fc.property(anyText, (text) => {
    const rows = parseCsv(formatMessages([sample(text), sample("last")], "csv"));
    assertEquals(rows.map(({ length }) => length), [14, 14, 14]);
    assertEquals(rows[2]?.at(-1), "last");
  }));
});

Deno.test("formatMessages() does not let a text end its block of Markdown", () => {
  const markdown = formatMessages([sample("a\n```\n# not a heading\n````\n")], "md");
  assertStringIncludes(markdown, "`````text\na\n```\n# not a heading\n````\n\n`````\n");
});

Deno.test("formatMessages() writes JSON without characters that a terminal acts on", () => {
  const text = "a\u001b[2J\u009b31m\u202eb";
  const json = formatMessages([sample(text)], "json");
  // deno-lint-ignore no-control-regex -- these are the characters
  assertEquals(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(json), false);
  assertEquals(JSON.parse(json).messages[0].text, text);
});
