import { normalizeNested } from "../transcript/normalize.ts";
import type { Profile } from "./profile.ts";

/** What the contract asks for: scoping is enforced everywhere. */
export const DESIGN: Profile = {
  name: "design",
  version: "0.145.7",
  missing: [],
  transcripts: { inline: true, normalize: normalizeNested, minChars: 1, fromPrompts: false },
};
