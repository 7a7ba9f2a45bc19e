import { byId, el, tint } from "./dom.js";
import { drawDetail } from "./detail.js";
import { drawLanes } from "./lanes.js";
import { drawList } from "./list.js";
import { drawMatrix } from "./matrix.js";
import { drawMemories } from "./memories.js";
import { add, changed, clear, onChange, store, values } from "./store.js";

const EVENTS = [
  "session-start",
  "user-prompt-submit",
  "pre-compaction",
  "compaction-complete",
  "session-end",
  "remember",
  "recall",
];

const VIEWS = ["requests", "memories", "harnesses"];

function show(view) {
  if (byId(`tab-${view}`).hidden) return;
  for (const one of VIEWS) {
    byId(one).hidden = one !== view;
    byId(`tab-${one}`).setAttribute("aria-selected", String(one === view));
    byId(`tab-${one}`).tabIndex = one === view ? 0 : -1;
  }
  if (view === "memories") drawMemories();
}

function options(id, list, all) {
  const select = byId(id);
  const wanted = ["", ...list];
  if (
    wanted.length === select.options.length &&
    wanted.every((value, index) => select.options[index].value === value)
  ) return;
  const chosen = select.value;
  select.replaceChildren(...wanted.map((value) => el("option", { value }, value === "" ? all : value)));
  select.value = wanted.includes(chosen) ? chosen : "";
}

function drawFilters() {
  options("filter-agent", values("agent"), "all");
  options("filter-harness", values("harness"), "all");
  options("filter-event", [...values("event"), "other"], "all");
}

function readFilters() {
  store.filter = {
    agent: byId("filter-agent").value,
    harness: byId("filter-harness").value,
    event: byId("filter-event").value,
    text: byId("filter-text").value,
    warned: byId("filter-warned").checked,
  };
  changed();
}

/** Requests received while paused. */
const held = [];

function receive(entries) {
  if (store.paused) {
    held.push(...entries);
    byId("pause").textContent = `Resume (${held.length})`;
  } else add(entries);
}

function pause() {
  store.paused = !store.paused;
  byId("pause").setAttribute("aria-pressed", String(store.paused));
  byId("pause").textContent = store.paused ? "Resume" : "Pause";
  if (!store.paused) receive(held.splice(0));
}

function setStatus(state, text) {
  byId("live").dataset.state = state;
  byId("live").textContent = text;
}

let memoriesAt = 0;

async function listen() {
  const { requests, cursor } = await (await fetch("/__mock/requests?brief=1&limit=5000")).json();
  add(requests);
  const source = new EventSource(`/__mock/events?brief=1&cursor=${cursor}`);
  source.onopen = () => setStatus("live", "live");
  source.onerror = () => setStatus("lost", "disconnected, retrying");
  source.onmessage = (event) => {
    receive([JSON.parse(event.data)]);
    clearTimeout(memoriesAt);
    memoriesAt = setTimeout(drawMemories, 300);
  };
}

function theme() {
  const { style } = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = style.colorScheme || (dark ? "dark" : "light");
  style.colorScheme = now === "dark" ? "light" : "dark";
}

async function drawFacts() {
  const info = await (await fetch("/__mock/info")).json();
  const facts = [
    `auth: ${info.auth}`,
    info.strict && "strict",
    info.scriptable && "scriptable",
    info.db === null ? "in memory" : "on disk",
  ];
  byId("facts").replaceChildren(
    ...facts.filter((fact) => fact).map((fact) => el("span", { class: "chip" }, fact)),
  );
}

const KEYS = {
  "/": () => byId(byId("memories").hidden ? "filter-text" : "memory-query").focus(),
  "?": () => byId("help").showModal(),
  1: () => show("requests"),
  2: () => show("memories"),
  3: () => show("harnesses"),
  p: pause,
  t: theme,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
  if (typing && event.key === "Escape") return byId("list").focus();
  const act = typing || byId("help").open ? undefined : KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

for (const view of VIEWS) byId(`tab-${view}`).addEventListener("click", () => show(view));
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const open = VIEWS.filter((view) => !byId(`tab-${view}`).hidden);
  const at = open.findIndex((view) => !byId(view).hidden);
  const next = open[(at + by + open.length) % open.length];
  show(next);
  byId(`tab-${next}`).focus();
});
byId("filters").addEventListener("input", readFilters);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("pause").addEventListener("click", pause);
byId("clear").addEventListener("click", async () => {
  await fetch("/__mock/requests", { method: "DELETE" });
  clear();
});
byId("theme").addEventListener("click", theme);
byId("help-open").addEventListener("click", () => byId("help").showModal());
byId("legend").append(...EVENTS.map((event) => tint(el("li", {}, event), event)));

onChange(drawFilters);
onChange(drawList);
onChange(drawLanes);
onChange(drawDetail);
// The right edge of the lanes is the current time, so redraw even without new requests.
setInterval(drawLanes, 5000);
changed();
drawFacts();
drawMatrix();
drawMemories();
listen();
