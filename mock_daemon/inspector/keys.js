import { byId } from "../../connectors/base/page/dom.js";
import { leaveDetail, replaySelected, toggleCompare } from "./detail.js";
import { pause } from "./feed.js";
import { toggleTheme } from "../../connectors/base/page/theme.js";
import { showAll, showSession, toggleSession, zoomBy } from "./timeline.js";
import { show } from "./views.js";

const KEYS = {
  "/": () => byId(byId("memories").hidden ? "filter-text" : "memory-query").focus(),
  "?": () => byId("help").showModal(),
  1: () => show("requests"),
  2: () => show("memories"),
  3: () => show("harnesses"),
  p: pause,
  t: toggleTheme,
  c: toggleCompare,
  r: replaySelected,
  s: toggleSession,
  "+": () => zoomBy(0.5),
  "-": () => zoomBy(2),
  0: showAll,
  f: showSession,
  Escape: leaveDetail,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
  if (typing && event.key === "Escape") return byId("list").focus();
  const act = typing || document.querySelector("dialog[open]") !== null ? undefined : KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

byId("theme").addEventListener("click", toggleTheme);
byId("help-open").addEventListener("click", () => byId("help").showModal());
