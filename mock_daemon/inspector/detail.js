import { button, byId, el, tint } from "../../connectors/base/page/dom.js";
import { clock, lasted, size } from "../../connectors/base/page/format.js";
import { getJson } from "../../connectors/base/page/get_json.js";
import { jsonNode } from "../../connectors/base/page/json_view.js";
import { actions } from "./actions.js";
import { comparison } from "./compare.js";
import { explain } from "./request/explain.js";
import { pill } from "./list.js";
import { overview } from "./overview.js";
import { called, sessionName } from "./request/request.js";
import { select, setFilter, store, update } from "./store.js";

const pane = byId("detail");

function box(title, aside, content) {
  return el(
    "details",
    { class: "box", open: true },
    el("summary", {}, title, el("span", { class: "aside" }, aside)),
    content,
  );
}

function pairs(object) {
  const list = el("dl", { class: "pairs" });
  for (const [name, value] of Object.entries(object)) {
    list.append(el("dt", {}, name), el("dd", {}, String(value)));
  }
  return list;
}

/** The text the model will read is the most interesting part, so it has its own box. */
function injected(answer) {
  const text = answer?.inject ?? answer?.summaryPrompt;
  if (typeof text !== "string" || text === "") return undefined;
  return box(
    "Injected context",
    `${text.length} characters`,
    el("pre", { class: "injected", tabindex: "0" }, text),
  );
}

/** Why the request failed, before anything else. */
function verdict(request) {
  const explanation = explain(request, store.info);
  if (explanation === undefined) return undefined;
  return el(
    "section",
    { class: "note", "data-tone": explanation.tone, id: "verdict" },
    el("h3", {}, explanation.title),
    explanation.reason !== "" && el("p", { class: "reason" }, explanation.reason),
    explanation.hint !== "" && el("p", {}, explanation.hint),
  );
}

function warnings(request) {
  if (request.warnings.length === 0) return undefined;
  return el(
    "div",
    { class: "box warned" },
    el("h3", {}, "Warnings: a real daemon would not report these"),
    el("ul", {}, ...request.warnings.map((warning) => el("li", {}, warning))),
  );
}

/** Marks the selected request as the one to compare with, or stops comparing. */
export function toggleCompare() {
  if (store.selected === undefined) return;
  const starts = store.base === undefined;
  update({ base: starts ? store.selected : undefined });
  if (starts && coversList()) closeDetail();
}

/** Whether the details cover the list, as on a phone. */
function coversList() {
  return getComputedStyle(byId("back")).display !== "none";
}

/** Replays the request in the details. */
export function replaySelected() {
  const again = document.getElementById("replay");
  if (again !== null) again.click();
}

function origin(request) {
  if (request.replayOf === undefined) return undefined;
  return el(
    "p",
    { class: "sub" },
    "↻ Replay of ",
    button(`request ${request.replayOf}`, () => select(request.replayOf, true), { class: "link" }),
    ", sent from this page.",
  );
}

function content(request) {
  const session = sessionName(request);
  const named = [request.harness, request.agent].filter((value) => value !== undefined).join(" · ");
  return [
    tint(el("h2", { class: "title" }, called(request), " ", pill(request)), request.event),
    verdict(request),
    el(
      "p",
      { class: "sub" },
      named,
      session !== undefined && " · ",
      session !== undefined && button(
        request.sessionKey,
        () => setFilter({ session: store.filter.session === session ? "" : session }),
        { class: "link", title: "Show only this session (s)" },
      ),
      el("code", {}, `${request.method} ${request.path} → ${request.status}`),
      el("code", {}, `${clock(request.at, true)} · ${lasted(request.ms)}`),
    ),
    origin(request),
    ...actions(request, toggleCompare),
    warnings(request),
    injected(request.answer),
    request.body !== undefined &&
    box("Payload", size(request.bodyBytes), el("div", { class: "json" }, jsonNode(request.body))),
    request.answer !== undefined &&
    box("Response", String(request.status), el("div", { class: "json" }, jsonNode(request.answer))),
    Object.keys(request.query).length > 0 && box("Query", "", pairs(request.query)),
    box("Headers", "keys are redacted", pairs(request.headers)),
  ].filter((part) => part !== undefined && part !== false);
}

async function load(id) {
  return (await getJson(`/__mock/requests/${id}`))?.request;
}

const hint = (text) => el("p", { class: "hint" }, text);

/** Leaves the details where they cover the list. */
export function closeDetail() {
  // The step that opened the details is in the browser's history, unless a link did it.
  if (history.state?.step) history.back();
  else select(undefined);
  byId("list").focus();
}

/** Returns from the details to the list. */
export function leaveDetail() {
  if (coversList()) closeDetail();
  else byId("list").focus();
}

let drawn = "";

export async function drawDetail() {
  const { selected, base } = store;
  const opens = store.open && selected !== undefined;
  const opened = byId("detail-side").hasAttribute("data-open");
  byId("detail-side").toggleAttribute("data-open", opens);
  // What covers the list also takes the keyboard.
  if (opens && !opened && coversList()) pane.focus();
  // The overview changes with the requests; a request does not.
  const wanted = selected === undefined ? `of ${store.total}` : `${selected} ${base}`;
  if (drawn === wanted) return;
  drawn = wanted;
  if (selected === undefined) return pane.replaceChildren(...overview());
  const [request, other] = await Promise.all([selected, base ?? selected].map(load));
  if (drawn !== wanted) return;
  const gone = "The daemon does not have this request in memory any more.";
  if (request === undefined) pane.replaceChildren(hint(gone));
  else if (base === undefined || base === selected) pane.replaceChildren(...content(request));
  else if (other !== undefined) pane.replaceChildren(...comparison(other, request));
  else pane.replaceChildren(hint(`Nothing to compare with. ${gone}`), ...content(request));
  pane.scrollTop = 0;
}

byId("back").addEventListener("click", closeDetail);
byId("detail-side").addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaveDetail();
});
