import { REPLY, sse, type Turn } from "./turn.ts";

/** `generateContent`, or the same as one event of `streamGenerateContent`. */
export function gemini(stream: boolean, turn: Turn): Response {
  const part = turn.tool
    ? { functionCall: { name: turn.tool.name, args: turn.tool.input } }
    : { text: turn.text ?? REPLY };
  const input = turn.inputTokens ?? 20;
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: 10, totalTokenCount: input + 10 },
    modelVersion: "stub",
  };
  if (!stream) return Response.json(answer);
  return new Response(sse(answer), { headers: { "content-type": "text/event-stream" } });
}
