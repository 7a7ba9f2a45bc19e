import { enter } from "../base/entry.ts";
import { openclaw } from "./harness.ts";

await enter([openclaw], "signet-openclaw");
