import { nextId, REPLY, sse, type Turn } from "./turn.ts";

const EVENT_STREAM = { headers: { "content-type": "text/event-stream" } };

/** The Responses API: one document, or the same as events. */
export function responses(body: Record<string, unknown>, turn: Turn): Response {
  const text = turn.text ?? REPLY;
  const item = turn.tool?.text !== undefined
    ? {
      type: "custom_tool_call",
      id: nextId("ctc"),
      call_id: nextId("call"),
      name: turn.tool.name,
      input: turn.tool.text,
      status: "completed",
    }
    : turn.tool
    ? {
      type: "function_call",
      id: nextId("fc"),
      call_id: nextId("call"),
      name: turn.tool.name,
      ...(turn.tool.namespace === undefined ? {} : { namespace: turn.tool.namespace }),
      arguments: JSON.stringify(turn.tool.input),
      status: "completed",
    }
    : {
      type: "message",
      id: nextId("msg"),
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    };
  const input = turn.inputTokens ?? 20;
  const response = {
    id: nextId("resp"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    model: body.model ?? "stub",
    status: "completed",
    output: [item],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + 10,
    },
  };
  if (body.stream !== true) return Response.json(response);
  const events: { type: string; [key: string]: unknown }[] = [
    { type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    ...(turn.tool ? [] : [{
      type: "response.output_text.delta",
      item_id: item.id,
      output_index: 0,
      content_index: 0,
      delta: text,
    }]),
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
  const numbered = events.map((event, sequence_number) => sse({ ...event, sequence_number }, event.type));
  return new Response(numbered.join(""), EVENT_STREAM);
}

/** The chat completions API: one document, or the same as chunks. */
export function chat(body: Record<string, unknown>, turn: Turn): Response {
  const call = turn.tool
    ? {
      id: nextId("call"),
      type: "function",
      function: { name: turn.tool.name, arguments: JSON.stringify(turn.tool.input) },
    }
    : undefined;
  const common = {
    id: nextId("chatcmpl"),
    created: Math.floor(Date.now() / 1000),
    model: body.model ?? "stub",
  };
  const content = call ? null : turn.text ?? REPLY;
  const finish_reason = call ? "tool_calls" : "stop";
  const input = turn.inputTokens ?? 20;
  const usage = { prompt_tokens: input, completion_tokens: 10, total_tokens: input + 10 };
  if (body.stream !== true) {
    const message = { role: "assistant", content, ...(call ? { tool_calls: [call] } : {}) };
    return Response.json({
      ...common,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason }],
      usage,
    });
  }
  const chunk = (delta: unknown, finish: string | null) => ({
    ...common,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chunks = [
    chunk({ role: "assistant", ...(call ? { tool_calls: [{ index: 0, ...call }] } : { content }) }, null),
    chunk({}, finish_reason),
    { ...common, object: "chat.completion.chunk", choices: [], usage },
  ];
  return new Response(chunks.map((each) => sse(each)).join("") + "data: [DONE]\n\n", EVENT_STREAM);
}
