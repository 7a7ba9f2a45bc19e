import { fileFromZip } from "./zip.ts";
import { isLoopback } from "../../hooks/daemon/origin.ts";
import { prepareNetwork } from "../../hooks/daemon/network.ts";
import { EXIT, UserError } from "../base/cli/command.ts";
import { digest } from "../base/fs/digest.ts";

/** A stalled download ends; a slow one does not. */
const STALL_MS = 60_000;

/** A release as `deno task release` writes it: in a directory, or served from one. */
export interface Release {
  /** As the person named it. */
  readonly name: string;
  /** The digests in SHA256SUMS, by file name. */
  readonly sums: ReadonlyMap<string, string>;
  /** A file of the release as it is. */
  read(file: string, onProgress?: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>>;
}

/** The lines of SHA256SUMS; what is no such line is left out. */
export function parseSums(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, sum = "", name = ""]) => [name, sum]),
  );
}

/** The part of a file's name that says for which machine it is. */
export function platformLabel({ os, arch }: { os: string; arch: string }): string {
  return `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
}

/** Opens the release at a URL or in a directory. */
export async function openRelease(from: string, options: { insecureHttp: boolean }): Promise<Release> {
  const read = /^[a-z]+:\/\//i.test(from) ? served(from, options.insecureHttp) : inDirectory(from);
  const sums = parseSums(new TextDecoder().decode(await read("SHA256SUMS")));
  if (sums.size === 0) {
    throw new UserError(`${from} has no SHA256SUMS with checksums in it, so that nothing could be checked.`);
  }
  return { name: from, sums, read };
}

function inDirectory(dir: string): Release["read"] {
  return async (file) => {
    try {
      return await Deno.readFile(`${dir}/${file}`);
    } catch (error) {
      const why = error instanceof Deno.errors.NotFound ? "it is not there" : String(error);
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
        throw new UserError(`${url.href} answers ${response.status}.`, EXIT.failed, "Check --from.");
      }
      // A redirect must not lead from https to where anyone can write along.
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
    throw new UserError(`${text} is not an http or https address, nor a directory.`, EXIT.usage);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !insecureHttp) {
    throw new UserError(
      `${text} is plain HTTP to another machine: what comes could be anyone's.`,
      EXIT.usage,
      "Use https, or add --insecure-http.",
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** A binary of the release, from its smallest form, checked against SHA256SUMS; undefined where it has none. */
export async function releasedBinary(
  release: Release,
  asset: string,
  onProgress?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!release.sums.has(asset)) return undefined;
  const zip = `${asset}.zip`;
  const bytes = release.sums.has(zip)
    ? await fileFromZip(await checked(release, zip, onProgress), asset)
    : await checked(release, asset, onProgress);
  await compare(release, asset, bytes);
  return bytes;
}

async function checked(release: Release, file: string, onProgress?: (bytes: number) => void) {
  const bytes = await release.read(file, onProgress);
  await compare(release, file, bytes);
  return bytes;
}

async function compare({ name, sums }: Release, file: string, bytes: Uint8Array): Promise<void> {
  const sum = await digest(bytes);
  if (sum === sums.get(file)) return;
  throw new UserError(
    `${file} from ${name} has the wrong checksum (${sum}): it is damaged or was tampered with.`,
    EXIT.failed,
    "Nothing was changed.",
  );
}
