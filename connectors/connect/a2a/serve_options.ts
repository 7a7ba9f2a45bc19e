import { isLoopback } from "../../../hooks/daemon/origin.ts";
import { duration } from "../../base/cli/agents/draft_flags.ts";
import { type Context, EXIT, UserError } from "../../base/cli/command.ts";
import type { GatewaySettings } from "./gateway.ts";

export const DEFAULT_PORT = 3860;
const DEFAULT_HOST = "127.0.0.1";
const RUNS = 2;
const RUN_MS = 600_000;

/** What the flags of `a2a serve` say. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** The address for other machines; undefined for the one that it listens on. */
  readonly url?: string;
  readonly defaultAgent: string;
  readonly start?: GatewaySettings["start"];
  readonly ttlMs: number;
  readonly allowPush: readonly string[];
  readonly compat: boolean;
}

export async function serveOptions({ flags }: Pick<Context, "flags">): Promise<ServeOptions> {
  const host = flags.text("host") ?? DEFAULT_HOST;
  const tls = await tlsFiles(flags.text("tls-cert"), flags.text("tls-key"));
  if (!isLoopback(host) && tls === undefined && !flags.on("insecure-http")) {
    throw new UserError(
      `Without TLS, everybody in the network could read the tokens that are sent to ${host}.`,
      EXIT.usage,
      "--tls-cert FILE --tls-key FILE, or --insecure-http",
    );
  }
  return {
    host,
    port: number("port", flags.text("port"), DEFAULT_PORT, 0, 65_535),
    tls,
    url: publicUrl(flags.text("url")),
    defaultAgent: flags.text("agent") ?? "",
    start: flags.on("start")
      ? {
        cwd: await directory(flags.text("cwd") ?? Deno.cwd()),
        most: number("max-runs", flags.text("max-runs"), RUNS, 1, 32),
        timeoutMs: RUN_MS,
      }
      : undefined,
    ttlMs: 1000 * duration("ttl", flags.text("ttl") ?? "24h"),
    allowPush: flags.list("allow-push"),
    compat: flags.on("compat"),
  };
}

/** The address that a server is reached at. */
export function listeningUrl({ host, tls }: ServeOptions, port: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls === undefined ? "http" : "https"}://${name}:${port}`;
}

function number(flag: string, text: string | undefined, preset: number, least: number, most: number): number {
  const value = text === undefined ? preset : Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UserError(`--${flag} must be a number from ${least} to ${most}, not ${text}.`, EXIT.usage);
}

function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" &&
    url.username === "";
  if (isUsable) return url.href.replace(/\/+$/, "");
  throw new UserError(
    `--url must be an http or https URL, not ${text}.`,
    EXIT.usage,
    "--url https://me.example",
  );
}

async function tlsFiles(cert?: string, key?: string): Promise<ServeOptions["tls"]> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new UserError("--tls-cert and --tls-key belong together.", EXIT.usage);
  }
  return { cert: await readText(cert), key: await readText(key) };
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new UserError(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}.`,
      EXIT.usage,
    );
  }
}

async function directory(path: string): Promise<string> {
  const info = await Deno.stat(path).catch(() => undefined);
  if (info?.isDirectory) return await Deno.realPath(path);
  throw new UserError(`${path} is not a directory.`, EXIT.usage);
}
