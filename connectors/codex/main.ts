import { enter } from "../base/door.ts";
import { codex } from "./harness.ts";

await enter([codex], "signet-codex");
