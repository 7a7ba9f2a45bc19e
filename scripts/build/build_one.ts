import type { BuildContext } from "./build_context.ts";
import { bundle } from "./bundle/bundle.ts";
import { bundleConnector } from "./bundle/bundle_connector.ts";
import { compile } from "./compile.ts";
import type { Entry } from "./entries.ts";
import { permissionsOf } from "./permissions.ts";
import { stampKey } from "../release/stamp_key.ts";
import { smoke } from "./smoke.ts";
import { hashInputs, isCurrent, writeStamp } from "./stamp.ts";
import { hostTarget, outputName } from "./targets.ts";

export interface Built {
  readonly path: string;
  readonly size: number;
  readonly fresh: boolean;
  /** It was started and passed the smoke test; false if this machine cannot run it. */
  readonly ran: boolean;
}

/** Builds one binary, unless an up-to-date one exists. */
export async function buildOne(entry: Entry, context: BuildContext): Promise<Built> {
  const name = outputName(entry.binary, context.target, context.named);
  const output = `${context.dist}/${name}`;
  const ran = context.target.triple === hostTarget().triple;
  const flags = [
    "--no-prompt",
    "--no-code-cache",
    "--target",
    context.target.triple,
    ...permissionsOf(entry).map((p) => p.flag),
  ];
  const make = entry.kind === "daemon" ? bundle : bundleConnector;
  const bundled = await make(context.root, entry.main, context.npmCache);
  const files = context.releaseKey === undefined ? bundled : stampKey(bundled, context.releaseKey);
  const inputs = await hashInputs(files, flags, context.denortSha256);
  if (await isCurrent(output, inputs)) {
    return { path: output, size: (await Deno.stat(output)).size, fresh: false, ran };
  }
  // In the output directory, so that the rename is atomic and concurrent builds are safe.
  const work = await Deno.makeTempDir({ dir: context.dist, prefix: ".build-" });
  try {
    const made = await compile(files, flags, context.denort, work, name);
    if (ran) await smoke(made, entry, context.version);
    const { size } = await Deno.stat(made);
    await Deno.rename(made, output);
    await writeStamp(output, inputs);
    return { path: output, size, fresh: true, ran };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
