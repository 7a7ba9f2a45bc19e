import { enter } from "../base/entry.ts";
import { omp } from "./harness.ts";

await enter([omp], "signet-omp");
