import type { DatabaseSync } from "node:sqlite";
import { openMesh } from "../../base/agents/mesh.ts";
import { type Context, EXIT, UserError } from "../../base/cli/command.ts";
import { gatewayPath, openGatewayDatabase } from "./tasks/gateway_database.ts";

/** Opens the gateway's database for a command, and closes it. */
export async function withGateway<T>(
  { host }: Pick<Context, "host">,
  work: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  const { dir } = openMesh(host, true);
  const database = open(dir);
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

function open(dir: string): DatabaseSync {
  try {
    return openGatewayDatabase(dir);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${gatewayPath(dir)} could not be opened: ${why}.`, EXIT.failed);
  }
}
