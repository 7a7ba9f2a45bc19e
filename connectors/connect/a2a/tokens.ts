import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { age } from "../../base/cli/output/age.ts";
import { table } from "../../base/cli/output/layout.ts";
import { withGateway } from "./open_gateway.ts";
import { Clients } from "./server/clients.ts";

/** Creates, lists and revokes the tokens of A2A clients. */
export async function run(context: Context): Promise<Outcome> {
  const { args, binary } = context;
  const [verb = "list", name = ""] = args;
  return await withGateway(context, async (database) => {
    const clients = new Clients(database);
    switch (verb) {
      case "create":
        return await create(context, clients, name);
      case "list":
        return list(context, clients);
      case "revoke":
        return revoke(context, clients, name);
      default:
        throw new UserError(
          `a2a tokens knows create, list and revoke, not ${verb}.`,
          EXIT.usage,
          `${binary} a2a tokens create NAME`,
        );
    }
  });
}

async function create({ ui, binary }: Context, clients: Clients, name: string): Promise<Outcome> {
  if (!Clients.isName(name)) {
    throw new UserError(
      "The name of a client has up to 40 small letters, digits, dots, dashes and underscores.",
      EXIT.usage,
      `${binary} a2a tokens create laptop`,
    );
  }
  const token = await clients.create(name);
  if (token === undefined) {
    throw new UserError(
      `There is a client ${name} already.`,
      EXIT.usage,
      `${binary} a2a tokens revoke ${name}`,
    );
  }
  ui.block(`${token}\n`);
  ui.hint(`This is the token of ${name}. It is shown once. Its messages come from the agent a2a:${name}.`);
  return { code: EXIT.ok, data: { name, token } };
}

function list({ ui }: Context, clients: Clients): Outcome {
  const all = clients.list();
  if (all.length === 0) ui.say("No client has a token.");
  else {
    const now = Date.now();
    ui.block(table(["CLIENT", "AGE"], all.map(({ name, created }) => [name, age(now - created)]), ui));
  }
  return { code: EXIT.ok, data: { clients: all } };
}

function revoke({ ui }: Context, clients: Clients, name: string): Outcome {
  if (!clients.revoke(name)) {
    throw new UserError(`There is no client ${name || "without a name"}.`, EXIT.usage);
  }
  ui.ok(`Revoked the token of ${ui.bold(name)}; its next request is refused.`);
  return { code: EXIT.ok, data: { revoked: name } };
}
