import { DESIGN } from "./design.ts";
import type { Profile, ProfileName } from "./profile.ts";
import { V0_145 } from "./v0_145.ts";
import { V0_58 } from "./v0_58.ts";

/** Each profile by its name. */
export const PROFILES: { readonly [N in ProfileName]: Profile } = {
  design: DESIGN,
  "0.145": V0_145,
  "0.58": V0_58,
};
