import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { isPlainRemote } from "../../../../hooks/daemon/origin.ts";
import type { OutsideAgent } from "../../../base/agents/peers/outside.ts";
import { EXIT, UserError } from "../../../base/cli/command.ts";

const CARD = ".well-known/agent-card.json";

/** Parses the URL of an agent; throws if it is not one. */
export function checkAgentUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.hash === "") return url;
  throw new UserError(`${text || "An empty text"} is not an http or https URL.`, EXIT.usage);
}

/** Connects to an outside agent: reads its card, and takes a binding that both sides know. */
export async function outsideClient(
  { url, token }: Pick<OutsideAgent, "url" | "token">,
  options: { insecureHttp?: boolean } = {},
): Promise<Client> {
  const base = checkAgentUrl(url);
  if (token !== undefined && isPlainRemote(base.origin) && !options.insecureHttp) {
    throw new UserError(
      `${base.origin} is another machine without TLS: everybody in between could read the token.`,
      EXIT.usage,
      "use https, or --insecure-http",
    );
  }
  const fetchImpl = fetchWith(token, base.origin);
  const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
  const factory = new ClientFactory({
    transports,
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  const card = base.pathname.endsWith(".json") ? base.href : `${base.href.replace(/\/+$/, "")}/${CARD}`;
  try {
    return await factory.createFromUrl(card, "");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${card} could not be used: ${why}`, EXIT.unreachable);
  }
}

/** A card may name any address; the token goes to the agent's own origin alone, and follows no redirect. */
function fetchWith(token: string | undefined, origin: string): typeof fetch {
  return (input, init) => {
    const request = new Request(input, { ...init, redirect: "error" });
    if (token !== undefined && new URL(request.url).origin === origin) {
      request.headers.set("authorization", `Bearer ${token}`);
    }
    return fetch(request);
  };
}
