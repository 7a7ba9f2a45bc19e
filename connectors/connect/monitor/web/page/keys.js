import { byId } from "../../../../base/page/dom.js";
import { listenForKeys } from "../../../../base/page/shortcuts.js";
import { toggleTheme } from "../../../../base/page/theme.js";
import { changed } from "../../../../base/page/redraw.js";
import { leaveDetail, writeMessage } from "./detail/detail.js";
import { showWindow, zoomBy } from "./timeline/timeline.js";
import { show } from "./views.js";

function switchTheme() {
  toggleTheme();
  changed();
}

listenForKeys({
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
});
