import { byId, called, clock, el, size, tint } from "./dom.js";
import { jsonNode } from "./json_view.js";
import { pill } from "./list.js";
import { store } from "./store.js";

const pane = byId("detail");
let shown;

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

function content(request) {
  const named = [request.harness, request.agent, request.sessionKey].filter((value) => value !== undefined)
    .join(" · ");
  const title = el(
    "h2",
    { class: "title" },
    called(request),
    " ",
    pill(request),
  );
  const parts = [
    tint(title, request.event),
    el(
      "p",
      { class: "sub" },
      `${clock(request.at)} · ${request.ms} ms · ${named}`,
      el("code", {}, `${request.method} ${request.path} → ${request.status}`),
    ),
  ];
  if (request.fault !== undefined) {
    parts.push(el("p", { class: "sub" }, `Scripted fault: ${request.fault}.`));
  }
  if (request.warnings.length > 0) {
    parts.push(el(
      "div",
      { class: "box warned" },
      el("h3", {}, "Warnings: a real daemon would not report these"),
      el("ul", {}, ...request.warnings.map((warning) => el("li", {}, warning))),
    ));
  }
  const context = injected(request.answer);
  if (context !== undefined) parts.push(context);
  if (request.body !== undefined) {
    parts.push(box("Payload", size(request.bodyBytes), el("div", { class: "json" }, jsonNode(request.body))));
  }
  if (request.answer !== undefined) {
    parts.push(
      box("Response", String(request.status), el("div", { class: "json" }, jsonNode(request.answer))),
    );
  }
  if (Object.keys(request.query).length > 0) parts.push(box("Query", "", pairs(request.query)));
  parts.push(box("Headers", "keys are redacted", pairs(request.headers)));
  return parts;
}

export async function drawDetail() {
  if (shown === store.selected && pane.firstChild !== null) return;
  const wanted = shown = store.selected;
  if (wanted === undefined) {
    return pane.replaceChildren(
      el("p", { class: "hint" }, "Select a request to see its payload, headers, warnings and response."),
    );
  }
  const response = await fetch(`/__mock/requests/${wanted}`);
  const answer = await response.json();
  if (wanted !== store.selected) return;
  pane.replaceChildren(
    ...(response.ok ? content(answer.request) : [el("p", { class: "hint" }, answer.error)]),
  );
  pane.scrollTop = 0;
}

pane.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("list").focus();
});
