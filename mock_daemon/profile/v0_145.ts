import { ACCESS_0_145 } from "../access/access_rules.ts";
import { normalizeNested } from "../transcript/normalize.ts";
import type { Profile } from "./profile.ts";

/** Signet 0.145.7 as it answered, defects included. */
export const V0_145: Profile = {
  name: "0.145",
  version: "0.145.7",
  missing: [],
  access: ACCESS_0_145,
  transcripts: { inline: true, normalize: normalizeNested, minChars: 1, fromPrompts: true },
};
