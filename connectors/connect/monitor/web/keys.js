import { byId } from "../../../base/page/dom.js";
import { toggleTheme } from "../../../base/page/theme.js";
import { changed } from "../../../base/page/redraw.js";
import { leaveDetail, writeMessage } from "./detail.js";
import { showWindow, zoomBy } from "./timeline.js";
import { show } from "./views.js";

function switchTheme() {
  toggleTheme();
  changed();
}

const KEYS = {
  "/": () => byId(byId("history").hidden ? "filter-text" : "history-words").focus(),
  "?": () => byId("help").showModal(),
  1: () => show("agents"),
  2: () => show("history"),
  t: switchTheme,
  m: writeMessage,
  "+": () => zoomBy(0.5),
  "-": () => zoomBy(2),
  0: () => showWindow(Infinity),
  l: () => showWindow(3_600_000),
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

byId("theme").addEventListener("click", switchTheme);
byId("help-open").addEventListener("click", () => byId("help").showModal());
