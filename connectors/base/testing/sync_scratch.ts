import type { SyncJob } from "../sync/sync_job.ts";

/** A home with a workspace, and a harness directory, for the tests in this folder. */
export interface Scratch extends AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  /** The generated file. */
  readonly target: string;
  readonly job: SyncJob;
  put(name: string, text: string): Promise<void>;
  read(): Promise<string>;
}

export async function scratch(change: Partial<SyncJob> = {}): Promise<Scratch> {
  const root = await Deno.makeTempDir();
  const workspace = `${root}/agents`;
  const target = `${root}/harness/AGENTS.md`;
  await Deno.mkdir(workspace);
  const job: SyncJob = {
    harness: "pyagent",
    binary: "signet-pyagent",
    agentId: "default",
    stateDir: `${root}/state/signet/pyagent`,
    workspace,
    identity: { path: target, rule: "own" },
    host: { os: Deno.build.os, env: (name) => name === "HOME" ? root : undefined },
    ...change,
  };
  return {
    root,
    workspace,
    target,
    job,
    async put(name, text) {
      const path = `${workspace}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(path, text);
    },
    read: () => Deno.readTextFile(target),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
