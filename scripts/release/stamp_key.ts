import { RELEASE_KEY_MARK } from "../../connectors/connect/release/release_key.ts";

/** The files of a bundle with the public key of the release in them; a program that never upgrades has no place for it. */
export function stampKey(
  files: ReadonlyMap<string, string>,
  publicKey: string,
): Map<string, string> {
  const quoted = `"${RELEASE_KEY_MARK}"`;
  return new Map(
    [...files].map(([name, text]) => [name, text.replaceAll(quoted, `"${RELEASE_KEY_MARK}${publicKey}"`)]),
  );
}
