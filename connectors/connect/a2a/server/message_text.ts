import type { Message, Part } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { MAX_TEXT } from "../../../base/agents/messages/message_text.ts";

/** What an agent of the mesh can read. */
export const INPUT_MODES = ["text/plain", "application/json"];
export const OUTPUT_MODES = ["text/plain"];

/** The text of a message for an agent; throws if it has anything else in it. */
export function messageText({ parts }: Pick<Message, "parts">): string {
  if (parts.length === 0) throw new RequestMalformedError("message.parts must contain at least one part.");
  const text = parts.map(partText).join("\n\n");
  if (text.trim() === "") throw new RequestMalformedError("The message has no text.");
  if (text.length > MAX_TEXT) {
    throw new RequestMalformedError(`The message has ${text.length} characters; the limit is ${MAX_TEXT}.`);
  }
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new RequestMalformedError("The message is not valid text.");
  }
  return text;
}

function partText({ content, mediaType }: Part): string {
  const isReadable = mediaType === "" || /^text\/|^application\/json$/.test(mediaType.toLowerCase());
  if (!isReadable) throw notSupported(mediaType);
  switch (content?.$case) {
    case "text":
      return content.value;
    case "data":
      return JSON.stringify(content.value, undefined, 2) ?? "";
    case undefined:
      throw new RequestMalformedError("A part needs text or data.");
    default:
      throw notSupported(`a part with ${content?.$case}`);
  }
}

function notSupported(what: string): ContentTypeNotSupportedError {
  return new ContentTypeNotSupportedError(`This agent reads ${INPUT_MODES.join(" and ")}, not ${what}.`);
}
