import { checkAgentId } from "../../../../../hooks/daemon/settings.ts";
import { describeNats } from "../../../agents/nats/failure.ts";
import { natsSettings } from "../../../agents/nats/nats_settings.ts";
import { readTransport } from "../../../agents/transport/read_transport.ts";
import { givenLogin } from "../../agents/given_login.ts";
import { type Context, EXIT, type Outcome, UserError } from "../../command.ts";

/** The name under which an administrator connects; it sends no messages. */
const ADMINISTRATOR = "admin";

/** Creates the streams and buckets at the NATS server. What is there stays as it is. */
export async function run(context: Context): Promise<Outcome> {
  const { args, host, ui, binary } = context;
  const transport = readTransport(host);
  const settings = natsSettings(host);
  if (settings === undefined || transport.kind !== "nats") {
    throw new UserError(
      "Agents send their messages through the daemon, where nothing is to be prepared.",
      EXIT.usage,
      `${binary} agents config set transport nats://HOST:4222`,
    );
  }
  if (args.length === 0) {
    throw new UserError("For which agents?", EXIT.usage, `${binary} agents prepare alice bob`);
  }
  for (const id of args) {
    const checked = checkAgentId(id);
    if ("problem" in checked) throw new UserError(checked.problem, EXIT.usage);
  }
  const login = await givenLogin(context, transport.user);
  // The administrator's login is used once and stored nowhere.
  const once = login === undefined ? settings : { ...settings, login, agents: {} };
  try {
    await ui.during("Preparing the server", create(once, args));
  } catch (error) {
    const { why, code } = describeNats(error, settings.url, ADMINISTRATOR);
    throw new UserError(why, code === "key" ? EXIT.key : EXIT.failed);
  }
  ui.ok(`${ui.bold(settings.url)} is ready for ${args.join(", ")}`);
  return { code: EXIT.ok, data: { url: settings.url, agents: args } };
}

async function create(settings: Parameters<typeof open>[0], agents: readonly string[]): Promise<void> {
  const [{ createInbox, createShared }, link] = await Promise.all([
    import("../../../agents/nats/streams.ts"),
    open(settings),
  ]);
  try {
    await createShared(link);
    for (const agent of agents) await createInbox(link, agent);
  } finally {
    await link.close();
  }
}

async function open(settings: NonNullable<ReturnType<typeof natsSettings>>) {
  const { NatsLink } = await import("../../../agents/nats/link.ts");
  return await NatsLink.open(settings, ADMINISTRATOR);
}
