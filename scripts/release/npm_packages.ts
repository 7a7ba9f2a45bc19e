import type { Entry } from "../build/entries.ts";
import type { Target } from "../build/targets.ts";

/** A package to publish: its files by path. The binary is added separately. */
export interface Staged {
  /** The folder under dist/npm. */
  readonly dir: string;
  readonly files: Record<string, string>;
  readonly executables: readonly string[];
}

const NODE_OS = { linux: "linux", darwin: "darwin", windows: "win32" };

const SHARED = {
  license: "Apache-2.0",
  engines: { node: ">=18" },
};

/** The package with the binary for one platform; npm skips it on all others. */
export function platformPackage(entry: Entry, target: Target, version: string): Staged & { binary: string } {
  const binary = `bin/${entry.binary}${target.os === "windows" ? ".exe" : ""}`;
  return {
    dir: `connector-${entry.name}-${target.label}`,
    binary,
    executables: [],
    files: {
      "package.json": json({
        name: `@signetai/connector-${entry.name}-${target.label}`,
        version,
        description: `${entry.binary} for ${target.label}`,
        ...SHARED,
        os: [NODE_OS[target.os]],
        cpu: [target.arch],
        ...(target.os === "linux" && { libc: ["glibc"] }),
        files: [binary],
      }),
      "README.md":
        `The ${target.label} binary of \`@signetai/connector-${entry.name}\`. Install that package instead.\n`,
    },
  };
}

/** The package that users install: a launcher, with the binaries as optional dependencies. */
export function launcherPackage(
  entry: Entry,
  targets: readonly Target[],
  version: string,
  launcher: string,
): Staged {
  const name = `@signetai/connector-${entry.name}`;
  const script = `bin/${entry.binary}.js`;
  return {
    dir: `connector-${entry.name}`,
    executables: [script],
    files: {
      "package.json": json({
        name,
        version,
        description: `Connects an agent harness to Signet: ${entry.binary}`,
        ...SHARED,
        bin: { [entry.binary]: script },
        files: [script],
        optionalDependencies: Object.fromEntries(targets.map((t) => [`${name}-${t.label}`, version])),
      }),
      [script]: launcher.replaceAll("{{package}}", name).replaceAll("{{binary}}", entry.binary),
      "README.md": [
        `# ${name}`,
        "",
        `\`${entry.binary}\` as an npm package: a launcher, and the binary for your machine as an optional dependency.`,
        "",
        "```sh",
        `npx -y ${name} install --url https://signet.example --api-key …`,
        "```",
        "",
        "`install` copies the binary to `~/.local/bin`; the harness runs it from there, without Node.",
        "",
      ].join("\n"),
    },
  };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
