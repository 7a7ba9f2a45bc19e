import { button, el } from "../../connectors/base/page/dom.js";
import { counted, lasted } from "../../connectors/base/page/format.js";
import { diff, lineDiff } from "./request/diff.js";
import { called } from "./request/request.js";
import { update } from "./store.js";

const shown = (value) => typeof value === "string" ? value : JSON.stringify(value);
const isText = (value) => typeof value === "string" && value.includes("\n");

function textChange({ left, right }) {
  const signs = { " ": "same", "-": "left", "+": "right" };
  return el(
    "pre",
    { class: "line-diff", tabindex: "0" },
    ...lineDiff(left, right).map(([sign, line]) =>
      el("span", { "data-side": signs[sign] }, `${sign} ${line}\n`)
    ),
  );
}

function value(side, mark, present, content) {
  return el(
    "p",
    { "data-side": side },
    el("b", { "aria-hidden": "true" }, mark),
    present ? el("span", {}, shown(content)) : el("i", {}, "absent"),
  );
}

function change(difference) {
  const { path, left, right, inLeft, inRight } = difference;
  return el(
    "li",
    {},
    path !== "" && el("code", {}, path),
    ...(isText(left) && isText(right)
      ? [textChange(difference)]
      : [value("left", "A", inLeft, left), value("right", "B", inRight, right)]),
  );
}

function section(title, left, right) {
  const { changes, equal } = diff(left, right);
  if (changes.length + equal === 0) return undefined;
  const aside = changes.length === 0
    ? `the same (${counted(equal, "value")})`
    : `${counted(changes.length, "difference")}, ${equal} equal`;
  return el(
    "details",
    { class: "box", open: changes.length > 0 },
    el("summary", {}, title, el("span", { class: "aside" }, aside)),
    el("ul", { class: "changes" }, ...changes.map(change)),
  );
}

/** What the daemon made of a request, as values to compare. */
function facts(request) {
  const { method, path, status, outcome, harness, agent, sessionKey, fault, warnings, query } = request;
  return { method, path, query, status, outcome, harness, agent, session: sessionKey, fault, warnings };
}

function side(letter, request) {
  return el(
    "p",
    { "data-side": letter === "A" ? "left" : "right" },
    el("b", {}, letter),
    el("span", {}, `${called(request)} · request ${request.id} · ${lasted(request.ms)}`),
  );
}

/** The text that the model reads, apart from the rest of the response: it is what most people look for. */
function context(answer) {
  if (typeof answer?.inject !== "string") return { rest: answer };
  const { inject, ...rest } = answer;
  return { inject, rest };
}

const defined = (object) => JSON.parse(JSON.stringify(object));

/** Two requests, and only what differs between them. */
export function comparison(left, right) {
  const [a, b] = [context(left.answer), context(right.answer)];
  return [
    el("h2", { class: "title" }, "Comparison"),
    el("div", { class: "sides" }, side("A", left), side("B", right)),
    el(
      "div",
      { class: "actions" },
      button("Swap", () => update({ base: right.id, selected: left.id })),
      button("Stop comparing", () => update({ base: undefined })),
    ),
    section("Request", defined(facts(left)), defined(facts(right))),
    section("Payload", left.body, right.body),
    section("Injected context", a.inject, b.inject),
    section("Response", a.rest, b.rest),
    section("Headers", left.headers, right.headers),
  ].filter((part) => part !== undefined);
}
