import { isObject, type JsonObject } from "../json.ts";

const REDACTED = "[redacted]";
const KEY_IN_TEXT = /(sig_sk_[0-9a-f]{1,12})[A-Za-z0-9_-]*/g;
const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"]);
const SECRET_FIELDS = /^(api_?key|key|token|secret|password|authorization)$/i;

/** Redacts keys in a text. The prefix stays: it identifies a key without revealing it. */
export function redactText(value: string, secrets: readonly string[] = []): string {
  let clean = value.replace(KEY_IN_TEXT, `$1_${REDACTED}`);
  for (const secret of secrets) {
    if (secret.length >= 8) clean = clean.replaceAll(secret, REDACTED);
  }
  return clean;
}

/** Redacts parsed JSON, where a search of the raw text would miss an escaped key. */
export function redactJson(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === "string") return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, secrets));
  if (!isObject(value)) return value;
  const clean: JsonObject = Object.create(null);
  for (const [name, item] of Object.entries(value)) {
    const secret = SECRET_FIELDS.test(name) && typeof item === "string" && !looksPublic(name, item);
    clean[redactText(name, secrets)] = secret ? hide(item) : redactJson(item, secrets);
  }
  return clean;
}

/** `key` is also the name of a session field; only values that look like API keys are redacted. */
function looksPublic(name: string, value: string): boolean {
  return name.toLowerCase() === "key" && !value.startsWith("sig_");
}

function hide(value: string): string {
  const prefix = /^sig_sk_[0-9a-f]{1,12}/.exec(value)?.[0];
  return prefix === undefined ? REDACTED : `${prefix}_${REDACTED}`;
}

export function redactHeaders(headers: Headers, secrets: readonly string[] = []): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (!SECRET_HEADERS.has(name)) clean[name] = redactText(value, secrets);
    else clean[name] = /^bearer /i.test(value) ? `Bearer ${hide(value.slice(7).trim())}` : REDACTED;
  }
  return clean;
}
