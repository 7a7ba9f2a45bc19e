import { enter } from "../base/door.ts";
import { pi } from "./harness.ts";

await enter([pi], "signet-pi");
