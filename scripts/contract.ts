/**
 * `deno task contract`: writes connector.json and permissions.json beside each
 * connector, from the command table of its binary.
 */
import { connectorFiles } from "./contract/connector_files.ts";

const root = new URL("..", import.meta.url);
for (const { path, text } of connectorFiles()) {
  await Deno.writeTextFile(new URL(path, root), text);
  console.log(path);
}
