import { enter } from "../base/entry.ts";
import { gemini } from "./harness.ts";

await enter([gemini], "signet-gemini");
