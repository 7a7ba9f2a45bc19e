import { VERSION } from "../../../hooks/daemon/version.ts";
import { tempBeside } from "../../base/fs/atomic_write.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { confirm } from "../../base/cli/output/confirm.ts";
import { digest } from "../../base/fs/digest.ts";
import { realOs } from "../../base/fs/os.ts";
import { stopSignal } from "../../base/sync/stop_signal.ts";
import { versionOf } from "../../base/programs/find_program.ts";
import { type InstalledProgram, installedPrograms } from "./installed_programs.ts";
import { compareVersions, type DescribedRelease, describeRelease, newestRelease } from "./newest_release.ts";
import { recordedSource, recordSource } from "../../base/programs/release_source_record.ts";
import { isUrl, openRelease, platformLabel, type Release, releasedBinary } from "./release_source.ts";
import { releaseKey } from "./release_key.ts";
import { type Replacement, replacePrograms, startCheck } from "./replace_programs.ts";

interface Step extends InstalledProgram {
  readonly asset: string;
  readonly sum: string;
  readonly from?: string;
}

interface Staged extends Replacement {
  readonly from?: string;
  readonly to: string;
}

/** Upgrades the installed programs to a release. Hooks run them by path, so no config changes. */
export async function run(context: Context): Promise<Outcome> {
  const { ui, flags, binary, host } = context;
  const { release, version } = await wantedRelease(context);
  const programs = await installedPrograms(context);
  if (programs.length === 0) {
    throw new UserError("No Signet connector program is installed.", EXIT.failed, `${binary} setup`);
  }
  // A replayed old release has a valid signature too. Whoever wants an old one names it.
  if (version !== undefined && flags.text("from") === undefined && compareVersions(version, VERSION) < 0) {
    ui.ok(`${ui.bold(VERSION)} is newer than the newest release at ${release.name} (${version})`);
    return { code: EXIT.ok, data: { from: release.name, signed: release.signed, version } };
  }
  const { steps, current } = await sort(release, programs);
  if (!flags.on("check")) {
    for (const { path, name } of current) {
      ui.ok(`${ui.bold(name)} is already at this release (${ui.path(path)})`);
    }
  }
  const data = (done: readonly Staged[]) => ({
    from: release.name,
    signed: release.signed,
    version,
    current: current.map(({ path }) => path),
    upgraded: done.map(({ path, from, to }) => ({ path, from, to })),
  });
  const changes = steps.map(({ path }) => path);
  if (flags.on("check")) {
    tellNews(context, await describeRelease(release), steps);
    return { code: EXIT.ok, data: { ...data([]), check: true, changes } };
  }
  const remember = async () => isUrl(release.name) && await recordSource(host, release.name);
  if (steps.length === 0) {
    if (!flags.on("dry-run")) await remember();
    return { code: EXIT.ok, data: data([]) };
  }
  if (flags.on("dry-run")) {
    for (const { path, asset } of steps) ui.say(`${ui.path(path)} <- ${asset}`);
    ui.ok("Nothing was changed: this was a dry run");
    return { code: EXIT.ok, data: { ...data([]), dryRun: true, changes } };
  }
  const names = changes.map((path) => ui.path(path)).join(", ");
  if (ui.interactive && !flags.on("yes") && !await confirm(ui, `Replace ${names}?`)) {
    throw new UserError("Nothing was changed.", EXIT.failed);
  }
  const done = await replace(context, release, steps);
  await remember();
  for (const { name, path, from, to } of done) {
    ui.ok(`Upgraded ${ui.bold(name)} ${from ?? "?"} → ${ui.bold(to)} (${ui.path(path)})`);
  }
  ui.next(
    "Hooks and configs did not change; running sessions use the new program from their next hook.",
  );
  return { code: EXIT.ok, data: data(done) };
}

/** The release that was named, or the newest one where the programs came from. */
async function wantedRelease({ flags, host, binary }: Context) {
  const options = { insecureHttp: flags.on("insecure-http"), key: releaseKey() };
  const from = flags.text("from");
  if (from !== undefined) return { release: await openRelease(from, options), version: undefined };
  const source = await recordedSource(host);
  if (source === undefined) {
    throw new UserError(
      "No release was given, and it is not known where the programs came from.",
      EXIT.usage,
      `${binary} upgrade --from URL, or a directory`,
    );
  }
  return await newestRelease(source, options);
}

/** Prints what an upgrade would bring. */
function tellNews(
  { ui, binary, known, flags }: Context,
  { version, connectors, release }: DescribedRelease,
  steps: readonly Step[],
): void {
  if (steps.length === 0) {
    ui.ok(`Every program is at the newest release, ${ui.bold(version)} (${release.name})`);
    return;
  }
  ui.say(`${ui.bold(version)} is available at ${release.name}`);
  for (const { name, path, from } of steps) {
    ui.next(`${ui.bold(name)} ${from ?? "?"} → ${version} (${ui.path(path)})`);
  }
  const names = new Set(["connect", "mock-daemon", ...known.map(({ id }) => id)]);
  const added = connectors.filter((name) => !names.has(name));
  if (added.length > 0) ui.next(`New: ${added.map((name) => `signet-${name}`).join(", ")}`);
  const from = flags.text("from");
  ui.next(`To upgrade, run: ${ui.bold(`${binary} upgrade${from === undefined ? "" : ` --from ${from}`}`)}`);
}

/** Splits the programs into those to replace and those that are already at this release. */
async function sort(release: Release, programs: readonly InstalledProgram[]) {
  const steps: Step[] = [];
  const current: InstalledProgram[] = [];
  const label = platformLabel(Deno.build);
  const missing: string[] = [];
  for (const program of programs) {
    const asset = `${program.name}-${label}${Deno.build.os === "windows" ? ".exe" : ""}`;
    const sum = release.sums.get(asset);
    if (sum === undefined) missing.push(asset);
    else if (await digest(await Deno.readFile(program.path)) === sum) current.push(program);
    else steps.push({ ...program, asset, sum, from: await versionOf(program.path) });
  }
  // A mix of versions would be an untested state.
  if (missing.length > 0) {
    throw new UserError(`${release.name} has no ${missing.join(", ")}.`, EXIT.failed, "Nothing was changed.");
  }
  return { steps, current };
}

async function replace(context: Context, release: Release, steps: readonly Step[]): Promise<Staged[]> {
  using stop = stopSignal();
  const staged: Staged[] = [];
  try {
    for (const step of steps) {
      stop.signal.throwIfAborted();
      staged.push(await stage(context, release, step));
    }
    context.ui.progress("Replacing the programs");
    await replacePrograms(realOs, staged, { signal: stop.signal });
    return staged;
  } catch (error) {
    if (error === stop.signal.reason) {
      throw new UserError("Interrupted. Nothing was changed.", EXIT.failed);
    }
    throw error;
  } finally {
    context.ui.progress();
    for (const { staged: path } of staged) await Deno.remove(path).catch(() => {});
  }
}

/** Downloads, verifies and starts a new program next to the old one: /tmp may be mounted noexec. */
async function stage({ ui }: Context, release: Release, step: Step): Promise<Staged> {
  const { asset, path, name } = step;
  const onProgress = (bytes: number) => ui.progress(`Downloading ${asset}: ${(bytes / 1e6).toFixed(0)} MB`);
  const bytes = await releasedBinary(release, asset, onProgress);
  if (bytes === undefined) throw new UserError(`${release.name} has no ${asset}.`, EXIT.failed);
  const staged = tempBeside(path);
  try {
    await realOs.create(staged, bytes, 0o700);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path} cannot be replaced: ${why}.`, EXIT.failed, "Nothing was changed.");
  }
  try {
    ui.progress(`Starting the new ${name}`);
    return { ...step, staged, digest: step.sum, to: await startCheck(staged) };
  } catch (error) {
    await Deno.remove(staged).catch(() => {});
    const why = error instanceof Error ? error.message.replaceAll(staged, asset) : String(error);
    throw new UserError(
      `The new ${name} does not start on this machine (${why}).`,
      EXIT.failed,
      "Nothing was changed.",
    );
  }
}
