import tokensCss from "../../../base/page/tokens.css" with { type: "text" };
import controlsCss from "../../../base/page/controls.css" with { type: "text" };
import frameCss from "../../../base/page/frame.css" with { type: "text" };
import notesCss from "../../../base/page/notes.css" with { type: "text" };
import lanesCss from "../../../base/page/lanes.css" with { type: "text" };
import marksCss from "../../../base/page/marks.css" with { type: "text" };
import splitCss from "../../../base/page/split.css" with { type: "text" };
import rowsCss from "../../../base/page/rows.css" with { type: "text" };
import boxesCss from "../../../base/page/boxes.css" with { type: "text" };
import address from "../../../base/page/address.js" with { type: "text" };
import dom from "../../../base/page/dom.js" with { type: "text" };
import format from "../../../base/page/format.js" with { type: "text" };
import laneCanvas from "../../../base/page/lane_canvas.js" with { type: "text" };
import lanes from "../../../base/page/lanes.js" with { type: "text" };
import lanesInput from "../../../base/page/lanes_input.js" with { type: "text" };
import listbox from "../../../base/page/listbox.js" with { type: "text" };
import live from "../../../base/page/live.js" with { type: "text" };
import redraw from "../../../base/page/redraw.js" with { type: "text" };
import tabs from "../../../base/page/tabs.js" with { type: "text" };
import theme from "../../../base/page/theme.js" with { type: "text" };
import timeAxis from "../../../base/page/time_axis.js" with { type: "text" };
import timeSpan from "../../../base/page/time_span.js" with { type: "text" };
import toast from "../../../base/page/toast.js" with { type: "text" };
import { assemble } from "../../../base/page/assemble.ts";
import shell from "./page.html" with { type: "text" };
import monitorCss from "./monitor.css" with { type: "text" };
import partsCss from "./parts.css" with { type: "text" };
import api from "./api.js" with { type: "text" };
import arcs from "./arcs.js" with { type: "text" };
import boardDetail from "./board_detail.js" with { type: "text" };
import detail from "./detail.js" with { type: "text" };
import feed from "./feed.js" with { type: "text" };
import howToBegin from "./how_to_begin.js" with { type: "text" };
import history from "./history.js" with { type: "text" };
import keys from "./keys.js" with { type: "text" };
import lanesModel from "./lanes_model.js" with { type: "text" };
import link from "./link.js" with { type: "text" };
import list from "./list.js" with { type: "text" };
import main from "./main.js" with { type: "text" };
import messageDetail from "./message_detail.js" with { type: "text" };
import overview from "./overview.js" with { type: "text" };
import paint from "./paint.js" with { type: "text" };
import release from "./release.js" with { type: "text" };
import sendForm from "./send_form.js" with { type: "text" };
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
const PURE = [sessions, lanesModel, arcs, paint];
const PARTS = [
  store,
  api,
  howToBegin,
  list,
  sendForm,
  release,
  messageDetail,
  overview,
  boardDetail,
  detail,
  history,
  timeline,
];
const CONTROLS = [views, feed, link, keys, main];

/** The monitor as a single self-contained page. It has no data: the browser asks for that with a token. */
export const MONITOR = assemble({
  shell,
  styles: [...SHARED_CSS, monitorCss, partsCss],
  modules: [...SHARED, ...PURE, ...PARTS, ...CONTROLS],
});
