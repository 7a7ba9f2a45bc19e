import { type Context, EXIT, type Outcome, UserError } from "../../base/cli/command.ts";
import { table } from "../../base/cli/output/layout.ts";
import { withGateway } from "./open_gateway.ts";
import { WEBHOOK_EVENTS, type WebhookEvent, Webhooks } from "./webhooks/webhook.ts";

/** Adds, lists and removes webhooks. */
export async function run(context: Context): Promise<Outcome> {
  const [verb = "list", value = ""] = context.args;
  return await withGateway(context, (database) => {
    const webhooks = new Webhooks(database);
    switch (verb) {
      case "add":
        return add(context, webhooks, value);
      case "list":
        return list(context, webhooks);
      case "remove":
        return remove(context, webhooks, value);
      default:
        throw new UserError(
          `a2a webhooks knows add, list and remove, not ${verb}.`,
          EXIT.usage,
          `${context.binary} a2a webhooks add URL`,
        );
    }
  });
}

function add({ ui, flags }: Context, webhooks: Webhooks, text: string): Outcome {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") {
    throw new UserError(`A webhook needs an http or https URL, not ${text || "nothing"}.`, EXIT.usage);
  }
  const chosen = flags.list("event");
  const events: WebhookEvent[] = WEBHOOK_EVENTS.filter((event) =>
    chosen.length === 0 || chosen.includes(event)
  );
  const { id, secret } = webhooks.add(url.href, events);
  ui.ok(`Added webhook ${ui.bold(id)} for ${events.join(", ")}`);
  ui.block(`${secret}\n`);
  ui.hint("This is the key of its signatures. It is shown once.");
  return { code: EXIT.ok, data: { id, url: url.href, events, secret } };
}

function list({ ui }: Context, webhooks: Webhooks): Outcome {
  const all = webhooks.list().map(({ id, url, events }) => ({ id, url, events }));
  if (all.length === 0) ui.say("There are no webhooks.");
  else {
    const rows = all.map(({ id, url, events }) => [id, url, events.join(", ")]);
    ui.block(table(["ID", "URL", "EVENTS"], rows, ui));
  }
  return { code: EXIT.ok, data: { webhooks: all } };
}

function remove({ ui }: Context, webhooks: Webhooks, id: string): Outcome {
  if (!webhooks.remove(id)) throw new UserError(`There is no webhook ${id || "without an id"}.`, EXIT.usage);
  ui.ok(`Removed webhook ${ui.bold(id)}`);
  return { code: EXIT.ok, data: { removed: id } };
}
