import { EXIT, UserError } from "../../base/cli/command.ts";
import { digest } from "../../base/fs/digest.ts";
import { type Download, downloadFrom, MissingFile } from "./download.ts";
import { parsePublicKey, verifyMinisign } from "./minisign.ts";
import { fileFromZip } from "./zip.ts";

/** A release as `deno task release` writes it: in a directory, or served from one. */
export interface Release {
  /** As the user named it. */
  readonly name: string;
  /** The digests in SHA256SUMS, by file name. */
  readonly sums: ReadonlyMap<string, string>;
  /** Whether a signature of SHA256SUMS was verified. */
  readonly signed: boolean;
  /** Reads one file of the release. */
  readonly read: Download;
}

export interface OpenOptions {
  readonly insecureHttp: boolean;
  /** The public key that must have signed the release; without one, only checksums are verified. */
  readonly key?: string;
}

/** There is no release at this place. */
export class NoRelease extends UserError {}

/** The entries of SHA256SUMS; other lines are ignored. */
export function parseSums(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, sum = "", name = ""]) => [name, sum]),
  );
}

/** The platform part of a file's name. */
export function platformLabel({ os, arch }: { os: string; arch: string }): string {
  return `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
}

/** Whether a release is at a URL, not in a directory. */
export function isUrl(from: string): boolean {
  return /^[a-z]+:\/\//i.test(from);
}

/** Opens the release at a URL or in a directory. */
export async function openRelease(from: string, { insecureHttp, key }: OpenOptions): Promise<Release> {
  const read = isUrl(from) ? downloadFrom(from, insecureHttp) : inDirectory(from);
  const bytes = await read("SHA256SUMS").catch((error) => {
    throw error instanceof MissingFile ? new NoRelease(error.message, error.code, error.next) : error;
  });
  const sums = parseSums(new TextDecoder().decode(bytes));
  if (sums.size === 0) {
    throw new NoRelease(`${from} has no SHA256SUMS file with checksums, so nothing can be verified.`);
  }
  if (key !== undefined) await verifySums(from, read, bytes, key);
  return { name: from, sums, signed: key !== undefined, read };
}

async function verifySums(
  from: string,
  read: Download,
  sums: Uint8Array<ArrayBuffer>,
  key: string,
): Promise<void> {
  const publicKey = parsePublicKey(key);
  const refuse = (why: string) =>
    new UserError(
      `The release at ${from} has no valid signature: ${why}.`,
      EXIT.failed,
      `Nothing was changed. Only releases signed with the key ${publicKey.id} are accepted.`,
    );
  let text: string;
  try {
    text = new TextDecoder().decode(await read("SHA256SUMS.minisig"));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
  try {
    await verifyMinisign(publicKey, text, sums);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

function inDirectory(dir: string): Download {
  return async (file) => {
    try {
      return await Deno.readFile(`${dir}/${file}`);
    } catch (error) {
      const path = `${dir}/${file}`;
      if (error instanceof Deno.errors.NotFound) {
        throw new MissingFile(`${path} cannot be read: file not found.`);
      }
      throw new UserError(`${path} cannot be read: ${error}.`, EXIT.failed);
    }
  };
}

/** A binary of the release, zipped if available, verified against SHA256SUMS; undefined if it is not listed. */
export async function releasedBinary(
  release: Release,
  asset: string,
  onProgress?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!release.sums.has(asset)) return undefined;
  const zip = `${asset}.zip`;
  const bytes = release.sums.has(zip)
    ? await fileFromZip(await readVerified(release, zip, onProgress), asset)
    : await readVerified(release, asset, onProgress);
  await verify(release, asset, bytes);
  return bytes;
}

/** Reads a file of the release and verifies it against SHA256SUMS. */
export async function readVerified(release: Release, file: string, onProgress?: (bytes: number) => void) {
  const bytes = await release.read(file, onProgress);
  await verify(release, file, bytes);
  return bytes;
}

async function verify({ name, sums }: Release, file: string, bytes: Uint8Array): Promise<void> {
  const sum = await digest(bytes);
  if (sum === sums.get(file)) return;
  throw new UserError(
    `${file} from ${name} has the wrong checksum (${sum}): it is damaged or was tampered with.`,
    EXIT.failed,
    "Nothing was changed.",
  );
}
