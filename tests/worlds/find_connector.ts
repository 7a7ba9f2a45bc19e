import { type Connector, CONNECTORS } from "../../scripts/contract/connector_files.ts";

/** The connector with this binary, such as signet-codex, for `call()`. */
export function findConnector(binary: string): Connector {
  const connector = CONNECTORS.find((each) => each.binary === binary);
  if (connector === undefined) throw new Error(`There is no ${binary}`);
  return connector;
}
