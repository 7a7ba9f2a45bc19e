import { STRICT_ACCESS } from "../access/access_rules.ts";
import { normalizeNested } from "../transcript/normalize.ts";
import type { Profile } from "./profile.ts";

/** What the contract asks for: scoping is enforced everywhere. */
export const DESIGN: Profile = {
  name: "design",
  version: "0.145.7",
  missing: [],
  access: STRICT_ACCESS,
  transcripts: { inline: true, normalize: normalizeNested, minChars: 1, fromPrompts: false },
};
