import { assert, assertEquals } from "@std/assert";
import { assemble } from "./assemble.ts";

const SHELL = '<style></style><script type="module"></script>';

Deno.test("assemble() makes one script of modules, whose private names do not meet", () => {
  const { html } = assemble({
    shell: SHELL,
    styles: ["a {}", "b {}"],
    modules: [
      "const step = 2;\nexport function next(value) {\n  return value + step;\n}\n",
      'import { next } from "./next.js";\nconst step = 40;\nexport const answer = next(step);\n',
      'import {\n  answer,\n} from "./answer.js";\nglobalThis.assembled = answer;\n',
    ],
  });
  const script = /<script type="module">([^]*)<\/script>/.exec(html)?.[1] ?? "";
  new Function(script)();
  assertEquals(Reflect.get(globalThis, "assembled"), 42);
  Reflect.deleteProperty(globalThis, "assembled");
  assert(html.startsWith("<style>a {}\nb {}</style>"), html);
});

Deno.test("assemble() allows only this script and this style", () => {
  const policy = (script: string) => assemble({ shell: SHELL, styles: [], modules: [script] }).policy;
  assert(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/.test(policy("1;\n")));
  assert(policy("1;\n") !== policy("2;\n"));
});
