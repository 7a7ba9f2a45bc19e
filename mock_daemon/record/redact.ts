import { isObject, type JsonObject } from "../json.ts";

const HIDDEN = "[redacted]";
const KEY_IN_TEXT = /(sig_sk_[0-9a-f]{1,12})[A-Za-z0-9_-]*/g;
const SECRET_HEADERS = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key"]);
const SECRET_FIELDS = /^(api_?key|key|token|secret|password|authorization)$/i;

/** Hides keys in a text: the prefix stays, since it names a key without being one. */
export function redactText(value: string, secrets: readonly string[] = []): string {
  let clean = value.replace(KEY_IN_TEXT, `$1_${HIDDEN}`);
  for (const secret of secrets) {
    if (secret.length >= 8) clean = clean.replaceAll(secret, HIDDEN);
  }
  return clean;
}

/** The same for parsed JSON, where an escaped key would slip past a search in the raw text. */
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

/** `key` is also what a session is called; only something key-like is hidden under that name. */
function looksPublic(name: string, value: string): boolean {
  return name.toLowerCase() === "key" && !value.startsWith("sig_");
}

function hide(value: string): string {
  const prefix = /^sig_sk_[0-9a-f]{1,12}/.exec(value)?.[0];
  return prefix === undefined ? HIDDEN : `${prefix}_${HIDDEN}`;
}

export function redactHeaders(headers: Headers, secrets: readonly string[] = []): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (!SECRET_HEADERS.has(name)) clean[name] = redactText(value, secrets);
    else clean[name] = /^bearer /i.test(value) ? `Bearer ${hide(value.slice(7).trim())}` : HIDDEN;
  }
  return clean;
}
