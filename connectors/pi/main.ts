import { enter } from "../base/entry.ts";
import { pi } from "./harness.ts";

await enter([pi], "signet-pi");
