/**
 * `deno task release --sign` writes the public key of the release behind this
 * mark in the bundled program (scripts/release/stamp_key.ts). The repository has no key.
 */
export const RELEASE_KEY_MARK = "signet-release-key:";

/** The public key that releases must be signed with; undefined if this program was built without one. */
export function releaseKey(mark: string = RELEASE_KEY_MARK): string | undefined {
  return mark.slice(mark.indexOf(":") + 1) || undefined;
}
