import { isObject } from "../hooks/json.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { parse } from "@std/yaml";

const DIR = fromFileUrl(new URL("../.github/workflows", import.meta.url));
const TASKS = Object.keys(
  JSON.parse(Deno.readTextFileSync(fromFileUrl(new URL("../deno.json", import.meta.url)))).tasks,
);

for (const { name } of Deno.readDirSync(DIR)) {
  const text = Deno.readTextFileSync(`${DIR}/${name}`);
  const workflow = parse(text);
  assert(isObject(workflow) && isObject(workflow.jobs));
  const { jobs } = workflow;

  Deno.test(`${name} pins every action to a commit, with its version in a comment`, () => {
    for (const line of text.split("\n").filter((l) => l.includes("uses:"))) {
      assertMatch(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  Deno.test(`${name} gives each job only the permissions it declares`, () => {
    assertEquals(workflow.permissions, {});
    for (const [job, body] of Object.entries(jobs)) assert(isObject(body) && isObject(body.permissions), job);
  });

  Deno.test(`${name} has no expression in a shell line, and runs tasks that exist`, () => {
    for (const body of Object.values(jobs)) {
      const steps = isObject(body) && Array.isArray(body.steps) ? body.steps.filter(isObject) : [];
      for (const run of steps.map((s) => s.run).filter((r) => typeof r === "string")) {
        assert(!run.includes("${{"), run);
        const task = /scripts\/deno task (\S+)/.exec(run)?.[1];
        if (task) assert(TASKS.includes(task), task);
      }
    }
  });
}
