import { isPlainRemote, loadSettings, type Settings } from "../../../../hooks/daemon/settings.ts";
import type { Surroundings } from "../../../../hooks/state/paths.ts";

/** What others on the network can read, if the daemon is called over plain HTTP. */
export function plainHttpWarning({ url, apiKey }: Pick<Settings, "url" | "apiKey">): string | undefined {
  if (!isPlainRemote(url)) return undefined;
  return apiKey === undefined
    ? `PROMPTS ARE SENT OVER PLAIN HTTP to ${url}: anyone on the network can read them. Use https.`
    : `THE API KEY IS SENT OVER PLAIN HTTP (--insecure-http) to ${url}: anyone on the network can read it.`;
}

/**
 * Whether these settings would be the first of a harness to use plain HTTP to
 * another machine without `--insecure-http`. An install that does so already goes on.
 */
export function isNewPlainHttp(
  { harness, url, insecureHttp }: Pick<Settings, "harness" | "url" | "insecureHttp">,
  host: Surroundings,
): boolean {
  if (insecureHttp || !isPlainRemote(url)) return false;
  const env = (name: string) => name.startsWith("SIGNET_") ? undefined : host.env(name);
  return loadSettings(harness, { ...host, env }).url !== url;
}
