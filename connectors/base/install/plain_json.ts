const STRING = String.raw`"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"`;
/** Written so that there is one way to match it: a part of a comment is no comment. */
const COMMENT = String
  .raw`\/\/[^\n\r\u2028\u2029]*(?=[\n\r\u2028\u2029]|$)|\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\/`;
/** After a value, with nothing but white space and comments between it and a closing bracket. */
const LAST_COMMA = String.raw`(?<=["'\]}\w.])[ \t]*,(?=(?:\s|${COMMENT})*[}\]])`;
const PLAIN_STRING = String.raw`'[^'"\\\n\r]*'`;
const NAME = String.raw`[A-Za-z_$][\w$]*(?=\s*:)`;
/** What begins something that is not written as above. */
const OTHER = String.raw`["'\/\\]`;

const TOKENS = {
  jsonc: new RegExp([STRING, COMMENT, LAST_COMMA, OTHER].join("|"), "g"),
  json5: new RegExp([STRING, COMMENT, LAST_COMMA, PLAIN_STRING, NAME, OTHER].join("|"), "g"),
};

/**
 * A text as strict JSON, which the runtime parses several times as fast as a library parses the
 * text. What it does not know stays as it is, so that the runtime refuses it; undefined where that
 * is not certain.
 */
export function plainJson(format: keyof typeof TOKENS, text: string): string | undefined {
  let isCertain = true;
  const plain = text.replace(TOKENS[format], (token) => {
    const first = token.charAt(0);
    if (first === '"' && token.length > 1) return token;
    if (first === "/" && token.length > 1) return " ";
    if (token.endsWith(",")) return "";
    if (first === "'" && token.length > 1) return `"${token.slice(1, -1)}"`;
    if (/[\w$]/.test(first)) return `"${token}"`;
    isCertain = false;
    return token;
  });
  return isCertain ? plain : undefined;
}
