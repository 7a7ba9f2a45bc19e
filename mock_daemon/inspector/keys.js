import { byId } from "../../connectors/base/page/dom.js";
import { listenForKeys } from "../../connectors/base/page/shortcuts.js";
import { leaveDetail, replaySelected, toggleCompare } from "./detail.js";
import { pause } from "./feed.js";
import { toggleTheme } from "../../connectors/base/page/theme.js";
import { showAll, showSession, toggleSession, zoomBy } from "./timeline.js";
import { show } from "./views.js";

listenForKeys({
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
});
