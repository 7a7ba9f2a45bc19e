import { assertEquals, assertNotMatch, assertRejects } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { bundle } from "./bundle.ts";
import { denoDirs } from "../deno_dirs.ts";

const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

/** A tree with an entry that imports a library dynamically. */
async function tree(depth: string): Promise<string> {
  const root = `${await Deno.makeTempDir()}/${depth}`;
  await Deno.mkdir(`${root}/app`, { recursive: true });
  for (const file of ["deno.json", "deno.lock"]) await Deno.copyFile(`${ROOT}/${file}`, `${root}/${file}`);
  await Deno.writeTextFile(
    `${root}/app/main.ts`,
    `if (Deno.args[0] === "hook") console.log("fast");\nelse await import("./cli.ts");\n`,
  );
  await Deno.writeTextFile(
    `${root}/app/cli.ts`,
    `import { stringify } from "yaml";\nconsole.log(stringify({ a: 1 }).trim());\n`,
  );
  return root;
}

/** What a bundle prints; its library is CommonJS and requires a module of Node. */
async function output(files: ReadonlyMap<string, string>): Promise<string> {
  const dir = await Deno.makeTempDir();
  for (const [name, text] of files) await Deno.writeTextFile(`${dir}/${name}`, text);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${dir}/main.js`],
  })
    .output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

for (const minify of [false, true]) {
  const title = minify ? "the same minified files" : "the same files";
  Deno.test(`bundle() gives ${title} in two places, with the library in a separate file`, async () => {
    const { npmCache } = await denoDirs();
    const here = await bundle(await tree("one"), "app/main.ts", npmCache, { minify });
    const there = await bundle(await tree("two/levels/down"), "app/main.ts", npmCache, { minify });
    assertEquals([...here], [...there]);
    assertNotMatch(here.get("main.js") ?? "yaml", /yaml/);
    assertEquals(await output(here), "a: 1\n");
  });
}

Deno.test("bundle() names the entry that fails to bundle", async () => {
  const root = await tree("one");
  await Deno.writeTextFile(`${root}/app/main.ts`, `import "./missing.ts";`);
  const { npmCache } = await denoDirs();
  await assertRejects(() => bundle(root, "app/main.ts", npmCache), Error, "app/main.ts does not bundle");
});
