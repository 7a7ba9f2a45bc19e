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

/**
 * An error of an operation as an answer of the REST binding, which is always
 * `application/json` (11.6). Our own bugs are not described to clients.
 */
export function restError(error: unknown): Response {
  const code = restStatusFor(error);
  const known = code >= 500 ? new Error("The gateway failed.") : error;
  return Response.json(toRestErrorBody(known, code), { status: code });
}
