import { enter } from "../base/door.ts";
import { gemini } from "./harness.ts";

await enter([gemini], "signet-gemini");
