import { enter } from "../base/door.ts";
import { pyagent } from "./harness.ts";

await enter([pyagent], "signet-pyagent");
