import { enter } from "../base/entry.ts";
import { pyagent } from "./harness.ts";

await enter([pyagent], "signet-pyagent");
