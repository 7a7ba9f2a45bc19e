import { enter } from "../base/entry.ts";
import { kilo } from "./harness.ts";

await enter([kilo], "signet-kilo");
