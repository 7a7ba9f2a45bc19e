import { restStatusFor, toRestErrorBody } from "@a2a-js/sdk/errors";

/** An error of HTTP, in the form that A2A gives to its own. */
export function httpError(
  code: number,
  status: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error: { code, status, message, details: [] } }, { status: code, headers });
}

/** An error of an operation as an answer of the REST binding. Our own bugs are not described to clients. */
export function restError(error: unknown, contentType: string): Response {
  const code = restStatusFor(error);
  const known = code >= 500 ? new Error("The gateway failed.") : error;
  return new Response(JSON.stringify(toRestErrorBody(known, code)), {
    status: code,
    headers: { "Content-Type": contentType },
  });
}
