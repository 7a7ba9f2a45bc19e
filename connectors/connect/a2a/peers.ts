import { isAlias, outsideAgents, outsideHandle, saveOutsideAgents } from "../../base/agents/peers/outside.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { table } from "../../base/cli/output/layout.ts";
import { checkAgentUrl, outsideClient } from "./outside/outside_client.ts";
import { readToken } from "./outside/read_token.ts";

/** Adds, lists and removes outside agents. */
export async function run(context: Context): Promise<Outcome> {
  const [verb = "list", alias = "", url = ""] = context.args;
  switch (verb) {
    case "add":
      return await add(context, alias, url);
    case "list":
      return list(context);
    case "remove":
      return remove(context, alias);
    default:
      throw new UserError(
        `a2a peers knows add, list and remove, not ${verb}.`,
        EXIT.usage,
        `${context.binary} a2a peers add ALIAS URL`,
      );
  }
}

async function add({ ui, host, flags, binary }: Context, alias: string, text: string): Promise<Outcome> {
  if (!isAlias(alias)) {
    throw new UserError(
      "An alias has up to 40 small letters, digits, dots, dashes and underscores.",
      EXIT.usage,
      `${binary} a2a peers add reviewer https://agents.example/reviewer`,
    );
  }
  const url = checkAgentUrl(text).href.replace(/\/+$/, "");
  const token = await readToken(flags.text("token-file"));
  const agent = { alias, url, token };
  const client = await ui.during(
    "Reading its agent card",
    outsideClient(agent, { insecureHttp: flags.on("insecure-http") }),
  );
  const { name } = await client.getAgentCard();
  saveOutsideAgents(host, [...outsideAgents(host).filter((each) => each.alias !== alias), agent]);
  const handle = outsideHandle(agent);
  ui.ok(`Added ${ui.bold(handle)}: ${JSON.stringify(name)}`);
  ui.next(`To write to it, run: ${binary} send ${handle} "…"`);
  return { code: EXIT.ok, data: { handle, url, name } };
}

function list({ ui, host }: Context): Outcome {
  const agents = outsideAgents(host).map((agent) => ({
    handle: outsideHandle(agent),
    url: agent.url,
    token: agent.token !== undefined,
  }));
  if (agents.length === 0) ui.say("There are no outside agents.");
  else {
    const rows = agents.map(({ handle, url, token }) => [handle, url, token ? "yes" : "no"]);
    ui.block(table(["HANDLE", "URL", "TOKEN"], rows, ui));
  }
  return { code: EXIT.ok, data: { peers: agents } };
}

function remove({ ui, host }: Context, alias: string): Outcome {
  const agents = outsideAgents(host);
  const rest = agents.filter((agent) => agent.alias !== alias.replace(/^ext:/, ""));
  if (rest.length === agents.length) {
    throw new UserError(`There is no outside agent ${alias || "without a name"}.`, EXIT.usage);
  }
  saveOutsideAgents(host, rest);
  ui.ok(`Removed ${ui.bold(alias)}`);
  return { code: EXIT.ok, data: { removed: alias } };
}
