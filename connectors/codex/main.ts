import { enter } from "../base/entry.ts";
import { codex } from "./harness.ts";

await enter([codex], "signet-codex");
