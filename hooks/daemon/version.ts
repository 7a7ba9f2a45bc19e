/** The version of every connector: they are released together. Same as deno.json. */
export const VERSION = "0.1.0";
