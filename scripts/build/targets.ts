/** A platform to build for, and where npm has its runtime. */
export interface Target {
  /** Deno's name. */
  readonly triple: string;
  /** The name in file names: `linux-x64`. */
  readonly label: string;
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "x64" | "arm64";
  readonly npm?: NpmRuntime;
}

/**
 * An npm package with a program compiled by our Deno version, which is denort with
 * appended data. The hashes detect changes but not a bad original, so releases use
 * Deno's download instead (see denort.ts).
 */
export interface NpmRuntime {
  readonly spec: string;
  readonly file: string;
  readonly tarballBytes: number;
  readonly tarballSha256: string;
  readonly denortSha256: string;
}

export const DENO_VERSION = "2.7.11";

export const TARGETS: readonly Target[] = [
  {
    triple: "x86_64-unknown-linux-gnu",
    label: "linux-x64",
    os: "linux",
    arch: "x64",
    npm: {
      spec: "@stdy/cli-linux-x64@0.22.2",
      file: "package/bin/steady",
      tarballBytes: 38_431_336,
      tarballSha256: "9f421f2809eeac41b1a70a9f85a6b408153956cc7797f51d5383f0233f1b5cbe",
      denortSha256: "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
    },
  },
  {
    triple: "aarch64-unknown-linux-gnu",
    label: "linux-arm64",
    os: "linux",
    arch: "arm64",
    npm: {
      spec: "@stdy/cli-linux-arm64@0.22.2",
      file: "package/bin/steady",
      tarballBytes: 37_635_096,
      tarballSha256: "1a33f7a0c3f26bf7ecde3c9be53e392b3656a4d9d935bdbd0348470ffd7224d6",
      denortSha256: "9c888d915647ff971a497acd39ee45ea63da5f19d12d4363124942c257c055ef",
    },
  },
  { triple: "x86_64-apple-darwin", label: "darwin-x64", os: "darwin", arch: "x64" },
  { triple: "aarch64-apple-darwin", label: "darwin-arm64", os: "darwin", arch: "arm64" },
  { triple: "x86_64-pc-windows-msvc", label: "windows-x64", os: "windows", arch: "x64" },
];

/** Finds a target by triple or label. */
export function findTarget(name: string): Target {
  const target = TARGETS.find((t) => t.triple === name || t.label === name);
  if (target) return target;
  const known = TARGETS.map((t) => t.label).join(", ");
  throw new Error(`There is no target "${name}": choose from ${known}.`);
}

/** The target of this machine. */
export function hostTarget(triple: string = Deno.build.target): Target {
  return findTarget(triple);
}

/** `signet-pi` for this machine, `signet-pi-windows-x64.exe` for a named target. */
export function outputName(binary: string, target: Target, named: boolean): string {
  const exe = target.os === "windows" ? ".exe" : "";
  return named ? `${binary}-${target.label}${exe}` : `${binary}${exe}`;
}
