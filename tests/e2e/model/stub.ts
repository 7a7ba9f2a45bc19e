import { anthropic } from "./anthropic.ts";
import { gemini } from "./gemini.ts";
import { chat, responses } from "./openai.ts";
import { type Api, type ModelRequest, sayPlainly, type Script } from "./turn.ts";

/** A model on loopback: it records every request and answers by its script. */
export interface ModelStub extends AsyncDisposable {
  readonly url: string;
  /** Every request to a model so far, oldest first. */
  readonly requests: ModelRequest[];
  /** Requests that no API of the stub knows: a harness that asks for more than we serve shows here. */
  readonly unknown: string[];
  script: Script;
}

const ROUTES: readonly [RegExp, Api][] = [
  [/\/messages$/, "anthropic"],
  [/\/responses$/, "responses"],
  [/\/chat\/completions$/, "chat"],
  [/:(generateContent|streamGenerateContent)$/, "gemini"],
];

export function startModelStub(): ModelStub {
  const requests: ModelRequest[] = [];
  const unknown: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const path = new URL(request.url).pathname;
    const api = ROUTES.find(([pattern]) => pattern.test(path))?.[1];
    if (request.method === "POST" && api !== undefined) {
      const raw = await request.text();
      const body: Record<string, unknown> = JSON.parse(raw);
      const recorded = { api, path, raw, body };
      requests.push(recorded);
      const turn = stub.script(recorded);
      if (api === "anthropic") return anthropic(body, turn);
      if (api === "responses") return responses(body, turn);
      if (api === "chat") return chat(body, turn);
      return gemini(path.endsWith(":streamGenerateContent"), turn);
    }
    await request.body?.cancel();
    if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 20 });
    if (path.endsWith(":countTokens")) return Response.json({ totalTokens: 20 });
    if (request.method === "GET" && path.endsWith("/models")) {
      return Response.json({ object: "list", data: [], models: [] });
    }
    unknown.push(`${request.method} ${path}`);
    return Response.json({ error: { type: "not_found_error", message: `the stub has no ${path}` } }, {
      status: 404,
    });
  });
  const stub: ModelStub = {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    unknown,
    script: sayPlainly,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return stub;
}
