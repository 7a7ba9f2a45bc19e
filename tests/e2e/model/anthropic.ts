import { nextId, REPLY, sse, type Turn } from "./turn.ts";

/** The Messages API: one document, or the same as events. */
export function anthropic(body: Record<string, unknown>, turn: Turn): Response {
  const block = turn.tool
    ? { type: "tool_use", id: nextId("toolu"), name: turn.tool.name, input: turn.tool.input }
    : { type: "text", text: turn.text ?? REPLY };
  const message = {
    id: nextId("msg"),
    type: "message",
    role: "assistant",
    model: body.model ?? "stub",
    content: [block],
    stop_reason: turn.tool ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: turn.inputTokens ?? 20, output_tokens: 10 },
  };
  if (body.stream !== true) return Response.json(message);
  const [empty, delta] = turn.tool
    ? [{ ...block, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(turn.tool.input) }]
    : [{ type: "text", text: "" }, { type: "text_delta", text: turn.text ?? REPLY }];
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: message.usage,
    },
    { type: "message_stop" },
  ];
  return new Response(events.map((event) => sse(event, event.type)).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}
