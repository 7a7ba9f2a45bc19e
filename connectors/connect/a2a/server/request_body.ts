/** Enough for the longest message that the mesh carries, written as JSON escapes. */
export const MAX_BODY = 1024 * 1024;

/** The text of a request; undefined if it is too long. What is too long is not read to its end. */
export async function readBody(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY) {
    await request.body?.cancel().catch(() => {});
    return undefined;
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(new Uint8Array(chunk));
  }
  return await new Blob(chunks).text();
}

/** Whether a request says that its body is JSON. */
export function isJson(request: Request): boolean {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";", 1);
  return /^application\/(?:a2a\+)?json$/.test(type.trim().toLowerCase());
}
