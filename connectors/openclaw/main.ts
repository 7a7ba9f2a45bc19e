import { enter } from "../base/door.ts";
import { openclaw } from "./harness.ts";

await enter([openclaw], "signet-openclaw");
