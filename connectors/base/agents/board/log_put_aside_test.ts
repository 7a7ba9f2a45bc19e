import { assertEquals } from "@std/assert";
import { agentLogPath, appendAgentLog, oldLogPath } from "../../../../hooks/agents/log_line.ts";
import { openDatabase } from "../../history/database.ts";
import { takeUp } from "../../history/take_up.ts";
import { sampleMessage } from "../../testing/sample_message.ts";
import { RecentMessages } from "./recent_messages.ts";

Deno.test("RecentMessages keeps its messages when the history puts a large log aside", () => {
  const dir = Deno.makeTempDirSync();
  try {
    const put = (text: string) => {
      const message = sampleMessage({ text });
      appendAgentLog(dir, { event: "put", session: "s", harness: "pi", message });
    };
    const recent = new RecentMessages(dir);
    const texts = () => recent.read().map(({ text }) => text);
    put("one");
    assertEquals(texts(), ["one"]);
    put("two");
    const database = openDatabase(dir);
    takeUp(database, dir, Date.now(), 1);
    database.close();
    assertEquals([Deno.statSync(oldLogPath(dir)).isFile], [true]);
    put("three");
    assertEquals(texts(), ["one", "two", "three"]);
    // Another file of the same name is another log.
    Deno.removeSync(agentLogPath(dir));
    Deno.writeTextFileSync(`${dir}/other`, "");
    put("four");
    assertEquals(texts().at(-1), "four");
  } finally {
    Deno.removeSync(dir, { recursive: true });
  }
});
