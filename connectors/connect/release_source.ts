import { fileFromZip } from "./zip.ts";
import { isLoopback } from "../../hooks/daemon/origin.ts";
import { prepareNetwork } from "../../hooks/daemon/network.ts";
import { EXIT, UserError } from "../base/cli/command.ts";
import { digest } from "../base/fs/digest.ts";

/** Aborts a stalled download, but not a slow one. */
const STALL_MS = 60_000;

/** A release as `deno task release` writes it: in a directory, or served from one. */
export interface Release {
  /** As the user named it. */
  readonly name: string;
  /** The digests in SHA256SUMS, by file name. */
  readonly sums: ReadonlyMap<string, string>;
  /** Reads one file of the release. */
  read(file: string, onProgress?: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>>;
}

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

/** Opens the release at a URL or in a directory. */
export async function openRelease(from: string, options: { insecureHttp: boolean }): Promise<Release> {
  const read = /^[a-z]+:\/\//i.test(from) ? served(from, options.insecureHttp) : inDirectory(from);
  const sums = parseSums(new TextDecoder().decode(await read("SHA256SUMS")));
  if (sums.size === 0) {
    throw new UserError(`${from} has no SHA256SUMS file with checksums, so nothing can be verified.`);
  }
  return { name: from, sums, read };
}

function inDirectory(dir: string): Release["read"] {
  return async (file) => {
    try {
      return await Deno.readFile(`${dir}/${file}`);
    } catch (error) {
      const why = error instanceof Deno.errors.NotFound ? "file not found" : String(error);
      throw new UserError(`${dir}/${file} cannot be read: ${why}.`, EXIT.failed);
    }
  };
}

function served(from: string, insecureHttp: boolean): Release["read"] {
  const base = checkAddress(from, insecureHttp);
  prepareNetwork(base.href);
  return async (file, onProgress) => {
    const url = new URL(file, base);
    const stall = new AbortController();
    let timer = setTimeout(() => stall.abort(), STALL_MS);
    try {
      const response = await fetch(url, { signal: stall.signal });
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        throw new UserError(`${url.href} returned status ${response.status}.`, EXIT.failed, "Check --from.");
      }
      // A redirect must not lead from https to plain http.
      checkAddress(response.url || url.href, insecureHttp);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      for await (const part of response.body) {
        parts.push(part);
        bytes += part.byteLength;
        onProgress?.(bytes);
        clearTimeout(timer);
        timer = setTimeout(() => stall.abort(), STALL_MS);
      }
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    } catch (error) {
      if (error instanceof UserError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new UserError(`${url.href} cannot be downloaded: ${why}.`, EXIT.failed, "Nothing was changed.");
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The checksums come from the same place, so on plain HTTP they prove nothing. */
function checkAddress(text: string, insecureHttp: boolean): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UserError(`${text} is neither an http(s) URL nor a directory.`, EXIT.usage);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !insecureHttp) {
    throw new UserError(
      `${text} is plain HTTP to another machine: the download could be tampered with.`,
      EXIT.usage,
      "Use https, or add --insecure-http.",
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
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

async function readVerified(release: Release, file: string, onProgress?: (bytes: number) => void) {
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
