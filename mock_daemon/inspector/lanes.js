import { byId, clock, el, tint } from "./dom.js";
import { layOut } from "./lane_layout.js";
import { select, store, visible } from "./store.js";

const box = byId("lanes");
const percent = (share) => `${(share * 100).toFixed(2)}%`;

function dot({ entry, x }) {
  const name = `${entry.event}, ${clock(entry.at)}, ${entry.outcome}`;
  const made = el("button", {
    class: "dot",
    type: "button",
    title: name,
    "aria-label": name,
    "data-request": entry.id,
    "data-trouble": entry.status >= 400 || entry.fault !== undefined,
    "aria-current": entry.id === store.selected ? "true" : undefined,
    tabindex: "-1",
  });
  made.style.left = percent(x);
  return tint(made, entry.event);
}

function lane(session) {
  const line = el("span", { class: session.open ? "line open" : "line" });
  line.style.left = percent(session.start);
  line.style.width = percent(session.end - session.start);
  return el(
    "div",
    { class: "lane" },
    el(
      "div",
      { class: "lane-name", title: `${session.harness} · ${session.agent} · ${session.session}` },
      el("b", {}, session.harness),
      el("span", {}, session.agent),
      el("span", {}, session.session),
    ),
    el("div", { class: "track" }, line, ...session.events.map(dot)),
  );
}

function axis({ from, to }) {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const tick = el("span", {}, clock(from + share * (to - from)));
    tick.style.left = percent(share);
    return tick;
  });
  return el(
    "div",
    { class: "axis", "aria-hidden": "true" },
    el("span"),
    el("div", { class: "track" }, ...ticks),
  );
}

function lasted(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7200
    ? `${Math.round(seconds / 60)} min`
    : `${Math.round(seconds / 3600)} h`;
}

export function drawLanes() {
  const laid = layOut(visible(), Date.now());
  const focused = document.activeElement?.getAttribute("data-request");
  box.replaceChildren(...laid.lanes.map(lane), ...(laid.lanes.length > 0 ? [axis(laid)] : []));
  byId("lanes-span").textContent = laid.lanes.length === 0
    ? ""
    : `${laid.lanes.length} ${laid.lanes.length === 1 ? "session" : "sessions"} in the last ${
      lasted(laid.to - laid.from)
    }`;
  const first = box.querySelector("[aria-current=true]") ?? box.querySelector(".dot");
  first?.setAttribute("tabindex", "0");
  // Keep keyboard focus on the same event across a redraw.
  if (focused) box.querySelector(`[data-request="${CSS.escape(focused)}"]`)?.focus();
}

box.addEventListener("click", (event) => {
  const id = event.target instanceof Element ? event.target.getAttribute("data-request") : null;
  if (id !== null) select(Number(id));
});

function nearest(track, from) {
  const dots = [...(track?.querySelectorAll(".dot") ?? [])];
  const distance = (dot) => Math.abs(dot.getBoundingClientRect().x - from.getBoundingClientRect().x);
  return dots.sort((a, b) => distance(a) - distance(b))[0];
}

box.addEventListener("keydown", (event) => {
  const from = event.target;
  if (!(from instanceof HTMLElement) || !from.classList.contains("dot")) return;
  const row = from.closest(".lane");
  const target = {
    ArrowLeft: () => from.previousElementSibling,
    ArrowRight: () => from.nextElementSibling,
    ArrowUp: () => nearest(row?.previousElementSibling, from),
    ArrowDown: () => nearest(row?.nextElementSibling, from),
  }[event.key]?.();
  if (!(target instanceof HTMLElement) || !target.classList.contains("dot")) return;
  event.preventDefault();
  target.focus();
  select(Number(target.getAttribute("data-request")));
});
