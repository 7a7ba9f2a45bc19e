import { enter } from "../base/entry.ts";
import { copilot } from "./harness.ts";

await enter([copilot], "signet-copilot");
