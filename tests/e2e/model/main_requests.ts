import { type ModelRequest, sayPlainly, type Script } from "./turn.ts";

/** Whether a request belongs to the conversation: titles, routers and summaries come without tools. */
export function offersTools(request: ModelRequest): boolean {
  const { tools } = request.body;
  return Array.isArray(tools) && tools.length > 0;
}

/** Plays a script to the conversation only, where side requests repeat the user's words. */
export function toConversation(script: Script): Script {
  return (request) => (offersTools(request) ? script : sayPlainly)(request);
}
