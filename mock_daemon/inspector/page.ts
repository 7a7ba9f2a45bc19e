import tokensCss from "../../connectors/base/page/tokens.css" with { type: "text" };
import controlsCss from "../../connectors/base/page/controls.css" with { type: "text" };
import frameCss from "../../connectors/base/page/frame.css" with { type: "text" };
import notesCss from "../../connectors/base/page/notes.css" with { type: "text" };
import lanesCss from "../../connectors/base/page/lanes.css" with { type: "text" };
import splitCss from "../../connectors/base/page/split.css" with { type: "text" };
import rowsCss from "../../connectors/base/page/rows.css" with { type: "text" };
import boxesCss from "../../connectors/base/page/boxes.css" with { type: "text" };
import marksCss from "../../connectors/base/page/marks.css" with { type: "text" };
import address from "../../connectors/base/page/address.js" with { type: "text" };
import dom from "../../connectors/base/page/dom.js" with { type: "text" };
import format from "../../connectors/base/page/format.js" with { type: "text" };
import getJson from "../../connectors/base/page/get_json.js" with { type: "text" };
import jsonView from "../../connectors/base/page/json_view.js" with { type: "text" };
import laneCanvas from "../../connectors/base/page/lane_canvas.js" with { type: "text" };
import lanes from "../../connectors/base/page/lanes.js" with { type: "text" };
import lanesInput from "../../connectors/base/page/lanes_input.js" with { type: "text" };
import listbox from "../../connectors/base/page/listbox.js" with { type: "text" };
import live from "../../connectors/base/page/live.js" with { type: "text" };
import redraw from "../../connectors/base/page/redraw.js" with { type: "text" };
import tabs from "../../connectors/base/page/tabs.js" with { type: "text" };
import theme from "../../connectors/base/page/theme.js" with { type: "text" };
import timeAxis from "../../connectors/base/page/time_axis.js" with { type: "text" };
import timeSpan from "../../connectors/base/page/time_span.js" with { type: "text" };
import toast from "../../connectors/base/page/toast.js" with { type: "text" };
import { assemble } from "../../connectors/base/page/assemble.ts";
import shell from "./page.html" with { type: "text" };
import listCss from "./list.css" with { type: "text" };
import cardsCss from "./cards.css" with { type: "text" };
import detailCss from "./detail.css" with { type: "text" };
import compareCss from "./compare.css" with { type: "text" };
import viewsCss from "./views.css" with { type: "text" };
import actions from "./actions.js" with { type: "text" };
import compare from "./compare.js" with { type: "text" };
import curl from "./curl.js" with { type: "text" };
import detail from "./detail.js" with { type: "text" };
import diff from "./diff.js" with { type: "text" };
import explain from "./explain.js" with { type: "text" };
import exportJs from "./export.js" with { type: "text" };
import feed from "./feed.js" with { type: "text" };
import filters from "./filters.js" with { type: "text" };
import har from "./har.js" with { type: "text" };
import keys from "./keys.js" with { type: "text" };
import link from "./link.js" with { type: "text" };
import list from "./list.js" with { type: "text" };
import main from "./main.js" with { type: "text" };
import matrix from "./matrix.js" with { type: "text" };
import overview from "./overview.js" with { type: "text" };
import memories from "./memories.js" with { type: "text" };
import replay from "./replay.js" with { type: "text" };
import request from "./request.js" with { type: "text" };
import sessions from "./sessions.js" with { type: "text" };
import store from "./store.js" with { type: "text" };
import timeline from "./timeline.js" with { type: "text" };
import views from "./views.js" with { type: "text" };

const SHARED_CSS = [
  tokensCss,
  controlsCss,
  frameCss,
  notesCss,
  lanesCss,
  marksCss,
  splitCss,
  rowsCss,
  boxesCss,
];
const SHARED = [
  dom,
  format,
  address,
  getJson,
  jsonView,
  live,
  listbox,
  redraw,
  tabs,
  theme,
  timeAxis,
  timeSpan,
  lanesInput,
  laneCanvas,
  lanes,
  toast,
];
const PURE = [request, curl, diff, explain, har, sessions];
const PARTS = [store, list, overview, compare, replay, actions, detail, timeline, memories, matrix];
const CONTROLS = [filters, exportJs, views, feed, link, keys, main];

/** The inspector as a single self-contained page, and the policy that allows only its script and style. */
export const INSPECTOR = assemble({
  shell,
  styles: [...SHARED_CSS, listCss, detailCss, compareCss, viewsCss, cardsCss],
  modules: [...SHARED, ...PURE, ...PARTS, ...CONTROLS],
});
