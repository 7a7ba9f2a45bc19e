import { bundle } from "./bundle.ts";
import { bundleConnector } from "./bundle_connector.ts";
import { compile } from "./compile.ts";
import type { Entry } from "./entries.ts";
import { permissionsOf } from "./permissions.ts";
import { smoke } from "./smoke.ts";
import { hashInputs, isCurrent, writeStamp } from "./stamp.ts";
import { hostTarget, outputName, type Target } from "./targets.ts";

/** What all binaries of one run have in common. */
export interface Workshop {
  readonly root: string;
  readonly dist: string;
  readonly npmCache: string;
  readonly version: string;
  readonly target: Target;
  /** The target was asked for by name, so it stands in the file's name. */
  readonly named: boolean;
  readonly denort: string;
  readonly denortSha256: string;
}

export interface Built {
  readonly path: string;
  readonly size: number;
  readonly fresh: boolean;
  /** It was started and answered as it should; false where this machine cannot run it. */
  readonly ran: boolean;
}

/** Builds one binary, unless it is there already and nothing it is made of has changed. */
export async function buildOne(entry: Entry, shop: Workshop): Promise<Built> {
  const name = outputName(entry.binary, shop.target, shop.named);
  const output = `${shop.dist}/${name}`;
  const ran = shop.target.triple === hostTarget().triple;
  const flags = [
    "--no-prompt",
    "--no-code-cache",
    "--target",
    shop.target.triple,
    ...permissionsOf(entry).map((p) => p.flag),
  ];
  const make = entry.kind === "daemon" ? bundle : bundleConnector;
  const files = await make(shop.root, entry.main, shop.npmCache);
  const inputs = await hashInputs(files, flags, shop.denortSha256);
  if (await isCurrent(output, inputs)) {
    return { path: output, size: (await Deno.stat(output)).size, fresh: false, ran };
  }
  // Beside the final place, so that a rename is atomic and two builds at once do no harm.
  const work = await Deno.makeTempDir({ dir: shop.dist, prefix: ".build-" });
  try {
    const made = await compile(files, flags, shop.denort, work, name);
    if (ran) await smoke(made, entry, shop.version);
    const { size } = await Deno.stat(made);
    await Deno.rename(made, output);
    await writeStamp(output, inputs);
    return { path: output, size, fresh: true, ran };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
