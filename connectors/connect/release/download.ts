import { isLoopback } from "../../../hooks/daemon/origin.ts";
import { prepareNetwork } from "../../../hooks/daemon/network.ts";
import { EXIT, UserError } from "../../base/cli/command.ts";

/** Aborts a stalled download, but not a slow one. */
const STALL_MS = 60_000;
const MAX_REDIRECTS = 10;

/** The server or the directory does not have the file. */
export class MissingFile extends UserError {}

/** Reads one file below a URL. */
export type Download = (
  file: string,
  onProgress?: (bytes: number) => void,
) => Promise<Uint8Array<ArrayBuffer>>;

/** Downloads files from below a URL; every address on the way must be safe. */
export function downloadFrom(from: string, insecureHttp: boolean): Download {
  const base = checkAddress(from, insecureHttp);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  prepareNetwork(base.href);
  return async (file, onProgress) => {
    const url = new URL(file, base);
    const stall = new AbortController();
    let timer = setTimeout(() => stall.abort(), STALL_MS);
    try {
      const response = await follow(url, insecureHttp, stall.signal);
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        const absent = response.status === 404 || response.status === 410;
        throw new (absent ? MissingFile : UserError)(
          `${url.href} returned status ${response.status}.`,
          EXIT.failed,
          "Check --from.",
        );
      }
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

/** Follows redirects one by one: fetch() itself would request an unsafe address before we see it. */
async function follow(start: URL, insecureHttp: boolean, signal: AbortSignal): Promise<Response> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await fetch(url, { signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url);
    if (url.protocol === "https:" && next?.protocol !== "https:") {
      throw new UserError(
        `${url.href} redirects from https to ${next?.href ?? location}: the download could be tampered with.`,
        EXIT.failed,
        "Nothing was changed.",
      );
    }
    url = checkAddress(next?.href ?? location, insecureHttp);
  }
  throw new UserError(`${start.href} redirects more than ${MAX_REDIRECTS} times.`, EXIT.failed);
}

/** The checksums come from the same place, so on plain HTTP they prove nothing. */
export function checkAddress(text: string, insecureHttp: boolean): URL {
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
  return url;
}
