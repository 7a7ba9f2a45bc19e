import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { realOs } from "../fs/os.ts";
import { digest } from "../fs/digest.ts";
import { everyTarget, requestFor, withHome } from "../testing/scratch.ts";
import { treeOf } from "../testing/tree_of.ts";
import { applyPlan } from "./apply/apply.ts";
import { ledgerPath, readLedger } from "./ledger/ledger.ts";
import type { PlanInput } from "./plan/plan.ts";
import { planInstall } from "./plan/plan_install.ts";
import { planUninstall } from "./plan/plan_uninstall.ts";

const install = async (request: PlanInput) => applyPlan(realOs, await planInstall(realOs, request));
const uninstall = async (request: PlanInput) => applyPlan(realOs, await planUninstall(realOs, request));

async function copyHome(home: string): Promise<string> {
  const copy = `${home} copy`;
  const { success } = await new Deno.Command("cp", { args: ["-a", home, copy] }).output();
  assert(success);
  return copy;
}

/** A tree whose texts do not name their home. */
async function anywhere(home: string, was = home) {
  return Object.fromEntries(
    Object.entries(await treeOf(home)).map(([path, { mode, text }]) => [
      path,
      { mode, text: text?.replaceAll(home, "~").replaceAll(was, "~") },
    ]),
  );
}

Deno.test("the ledger keeps paths relative to the home", () =>
  withHome({}, async (home) => {
    await install(requestFor(home));
    const { stateDir } = requestFor(home);
    const stored = JSON.parse(await Deno.readTextFile(ledgerPath(stateDir)));
    const paths = [...stored.files, ...stored.links].map(({ path }) => path).concat(stored.dirs);
    assert(paths.every((path) => path.startsWith("~/")), paths.join("\n"));
    const reading = await readLedger(realOs, stateDir);
    assert(reading.kind === "ok");
    assert(reading.ledger.files.every(({ path }) => path.startsWith(`${home}/`)));
  }));

Deno.test("uninstall in a copied home restores the copy, and touches that home alone", () =>
  withHome({}, async (home) => {
    const before = await anywhere(home);
    await install(requestFor(home));
    const installed = await treeOf(home);
    const copy = await copyHome(home);
    try {
      const { warnings } = await uninstall(requestFor(copy, []));
      assertEquals(warnings, []);
      assertEquals(await anywhere(copy, home), before);
      assertEquals(await treeOf(home), installed, "the home that was copied");
    } finally {
      await Deno.remove(copy, { recursive: true });
    }
    await uninstall(requestFor(home, []));
    assertEquals(await anywhere(home), before);
  }));

Deno.test("install and uninstall work in a renamed home", () =>
  withHome({}, async (home) => {
    const before = await anywhere(home);
    await install(requestFor(home));
    const renamed = `${home} renamed`;
    await Deno.rename(home, renamed);
    try {
      await install(requestFor(renamed, everyTarget(renamed, 2)));
      assertEquals(
        await Deno.readLink(`${renamed}/.pyagent/skills/recall`),
        `${renamed}/.agents/skills/recall-2`,
      );
      await uninstall(requestFor(renamed, []));
      assertEquals(await anywhere(renamed, home), before);
    } finally {
      await Deno.rename(renamed, home);
    }
  }));

Deno.test("a file outside of the home stays when a copy of the home is uninstalled", () =>
  withHome({}, async (home) => {
    const outside = `${home} outside`;
    await Deno.mkdir(outside);
    const copies: string[] = [];
    try {
      const program = { kind: "program", path: `${outside}/signet-pyagent` } as const;
      const request = requestFor(home, [{ ...program, from: `${home}/download/signet-pyagent-1` }]);
      await install(request);
      const copy = await copyHome(home);
      copies.push(copy);
      const { warnings } = await uninstall(requestFor(copy, []));
      assertStringIncludes(warnings.join("\n"), `${program.path} is outside of this home and was left alone`);
      assert(await realOs.stat(program.path), "the hooks of the first home call it");
      await uninstall(requestFor(home, []));
      assertEquals(await realOs.stat(program.path), undefined);
    } finally {
      for (const dir of [outside, ...copies]) await Deno.remove(dir, { recursive: true });
    }
  }));

/** The ledger as version 1 wrote it: with absolute paths. */
async function toVersion1(home: string): Promise<void> {
  const path = ledgerPath(requestFor(home).stateDir);
  const { at: _, ...stored } = JSON.parse(
    await Deno.readTextFile(path).then((text) => text.replaceAll('"~/', `"${home}/`)),
  );
  await Deno.writeTextFile(path, JSON.stringify({ ...stored, version: 1 }));
}

Deno.test("a ledger of version 1 still restores its home, and a copy of it", () =>
  withHome({}, async (home) => {
    const targets = everyTarget(home).filter(({ kind }) => kind !== "program");
    const before = await anywhere(home);
    await install(requestFor(home, targets));
    await toVersion1(home);
    const installed = await treeOf(home);
    const copy = await copyHome(home);
    try {
      await uninstall(requestFor(copy, []));
      assertEquals(await anywhere(copy, home), before);
      assertEquals(await treeOf(home), installed);
    } finally {
      await Deno.remove(copy, { recursive: true });
    }
    await uninstall(requestFor(home, []));
    assertEquals(await anywhere(home), before);
  }));

const MINE: Record<string, string> = {
  ".bashrc": "# mentions signet-pyagent\nexport PATH\n",
  ".ssh/id_ed25519": "PRIVATE KEY\n",
  "notes.json": '{ "model": "x", "keep": { "a": 1 } }\n',
  "notes.md": "# Notes about Signet\n",
  "bin/tool": "#!/bin/sh\n",
  "bin/signet-mine": "#!/bin/sh\n",
};

Deno.test("a hostile ledger deletes and overwrites nothing without our mark", () =>
  withHome(MINE, async (home) => {
    await Deno.symlink(`${home}/notes.md`, `${home}/my-link`);
    await Deno.mkdir(`${home}/.local/state/signet/pyagent/backups`, { recursive: true });
    const evil = new TextEncoder().encode('{ "evil": true }\n');
    await Deno.writeFile(`${home}/.local/state/signet/pyagent/backups/1-evil`, evil);
    const files = [];
    for (const path of Object.keys(MINE)) {
      const after = [await digest(await Deno.readFile(`${home}/${path}`))];
      const backup = { backup: "1-evil", before: await digest(evil) };
      for (const form of ["~/" + path, `${home}/${path}`]) {
        for (const kind of ["edit", "block", "file", "secret", "program"]) {
          for (const existed of [true, false]) {
            const entries = [
              { kind: "entry", path: ["keep"], value: { a: 1 } },
              { kind: "default", path: ["model"], value: "x" },
              { kind: "entry", path: ["model"], value: "x", replaces: true },
            ];
            const made = {
              containers: [["keep"]],
              promoted: [],
              defaults: [["model"]],
              replaced: [{ path: ["model"], value: "evil" }],
            };
            const format = path.endsWith("json") ? "json" : "yaml";
            const splices = [{ start: 0, end: evil.length, text: MINE[path] }];
            const copied = path !== "bin/signet-mine";
            files.push({
              path: form,
              kind,
              existed,
              after,
              ...backup,
              format,
              entries,
              made,
              splices,
              copied,
            });
          }
        }
      }
    }
    const ledger = {
      version: 2,
      harness: "pyagent",
      at: `${home}/.local/state/signet/pyagent`,
      files,
      links: [{ path: "~/my-link", to: `${home}/notes.md` }],
      dirs: ["~/bin"],
    };
    await Deno.writeTextFile(`${home}/.local/state/signet/pyagent/ledger.json`, JSON.stringify(ledger));
    const mine = async () =>
      Object.fromEntries(Object.entries(await treeOf(home)).filter(([path]) => !path.startsWith(".local")));
    const before = await mine();
    await uninstall(requestFor(home));
    assertEquals(await mine(), before);
    // The same through an install, which removes what an earlier one left.
    await Deno.mkdir(`${home}/.local/state/signet/pyagent`, { recursive: true });
    await Deno.writeTextFile(`${home}/.local/state/signet/pyagent/ledger.json`, JSON.stringify(ledger));
    await install(requestFor(home));
    await uninstall(requestFor(home));
    assertEquals(await mine(), before);
  }));

Deno.test("a ledger whose paths lead out of the home is damaged", () =>
  withHome({}, async (home) => {
    const { stateDir } = requestFor(home);
    await Deno.mkdir(stateDir, { recursive: true });
    const file = { path: "~/../other/.bashrc", kind: "secret", existed: false, after: [] };
    const ledger = { version: 2, harness: "pyagent", at: stateDir, files: [file], links: [], dirs: [] };
    await Deno.writeTextFile(ledgerPath(stateDir), JSON.stringify(ledger));
    assertEquals((await readLedger(realOs, stateDir)).kind, "damaged");
  }));

Deno.test("a damaged ledger costs no backup, whatever follows", () =>
  withHome({}, async (home) => {
    const request = requestFor(home);
    const original = await Deno.readTextFile(`${home}/.pyagent/config.yaml`);
    await install(request);
    const backups = `${request.stateDir}/backups`;
    const originals = async () => {
      const texts = [...Deno.readDirSync(backups)].map(({ name }) => Deno.readTextFile(`${backups}/${name}`));
      return (await Promise.all(texts)).filter((text) => text === original).length;
    };
    assertEquals(await originals(), 1);
    // The user edits the file, so that our marks cannot give back the original.
    const edited = (await Deno.readTextFile(`${home}/.pyagent/config.yaml`)).replace("model: x", "model: y");
    await Deno.writeTextFile(`${home}/.pyagent/config.yaml`, edited);
    await Deno.writeTextFile(ledgerPath(request.stateDir), "{ torn");
    await install(requestFor(home, everyTarget(home, 2)));
    assertEquals(await originals(), 1, "after a new install");
    const names = [...Deno.readDirSync(backups)].map(({ name }) => name);
    assert(names.some((name) => name.endsWith("-ledger.json")), "the damaged ledger is kept, too");
    const { warnings } = await uninstall(requestFor(home, everyTarget(home, 2)));
    assertEquals(await originals(), 1, "after its uninstall");
    assertStringIncludes(warnings.join("\n"), `stay in ${backups}; delete them when`);
    assert(!(await Deno.readTextFile(`${home}/.pyagent/config.yaml`)).includes("signet"));
  }));

Deno.test("a backup stays if its file cannot be given back", () =>
  withHome({}, async (home) => {
    const request = requestFor(home);
    await install(request);
    await Deno.remove(`${home}/.pyagent/config.yaml`);
    const { warnings } = await uninstall(request);
    assertStringIncludes(warnings.join("\n"), "the backups of your files stay in");
    const [name] = [...Deno.readDirSync(`${request.stateDir}/backups`)].map(({ name }) => name);
    assertStringIncludes(await Deno.readTextFile(`${request.stateDir}/backups/${name}`), "model: x   # keep");
  }));
