import { normalizeNested } from "../transcript/normalize.ts";
import type { Profile } from "./profile.ts";

/** Signet 0.145.7 as it answered, defects included. */
export const V0_145: Profile = {
  name: "0.145",
  version: "0.145.7",
  missing: [],
  transcripts: { inline: true, normalize: normalizeNested, minChars: 1, fromPrompts: true },
};
