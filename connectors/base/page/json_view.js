import { el } from "./dom.js";

/** Long and multi-line strings are shown unescaped. */
function stringNode(value) {
  if (value.length > 120 || value.includes("\n")) {
    return el("span", { class: "s long", tabindex: "0" }, value);
  }
  return el("span", { class: "s" }, JSON.stringify(value));
}

function entries(open, close, pairs) {
  if (pairs.length === 0) return el("span", {}, open + close);
  const box = el("span", {}, open);
  pairs.forEach(([key, value], index) => {
    const line = el("div", { class: "indent" });
    if (key !== undefined) line.append(el("span", { class: "k" }, key), ": ");
    line.append(jsonNode(value), index < pairs.length - 1 ? "," : "");
    box.append(line);
  });
  box.append(close);
  return box;
}

/** Renders JSON as elements. */
export function jsonNode(value) {
  if (typeof value === "string") return stringNode(value);
  if (Array.isArray(value)) return entries("[", "]", value.map((item) => [undefined, item]));
  if (typeof value === "object" && value !== null) return entries("{", "}", Object.entries(value));
  return el("span", { class: "n" }, String(value));
}
