import { assemble } from "../../../../base/page/assemble.ts";
import { SHARED_MODULES, SHARED_STYLES } from "../../../../base/page/shared_parts.ts";
import shell from "./page.html" with { type: "text" };
import monitorCss from "./monitor.css" with { type: "text" };
import partsCss from "./parts.css" with { type: "text" };
import api from "./api.js" with { type: "text" };
import arcs from "./timeline/arcs.js" with { type: "text" };
import boardDetail from "./detail/board_detail.js" with { type: "text" };
import detail from "./detail/detail.js" with { type: "text" };
import feed from "./feed.js" with { type: "text" };
import howToBegin from "./how_to_begin.js" with { type: "text" };
import history from "./history.js" with { type: "text" };
import keys from "./keys.js" with { type: "text" };
import lanesModel from "./timeline/lanes_model.js" with { type: "text" };
import link from "./link.js" with { type: "text" };
import list from "./list.js" with { type: "text" };
import main from "./main.js" with { type: "text" };
import messageDetail from "./detail/message_detail.js" with { type: "text" };
import overview from "./detail/overview.js" with { type: "text" };
import paint from "./timeline/paint.js" with { type: "text" };
import release from "./detail/release.js" with { type: "text" };
import sendForm from "./detail/send_form.js" with { type: "text" };
import sessions from "./sessions.js" with { type: "text" };
import store from "./store.js" with { type: "text" };
import timeline from "./timeline/timeline.js" with { type: "text" };
import views from "./views.js" with { type: "text" };

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
  styles: [...SHARED_STYLES, monitorCss, partsCss],
  modules: [...SHARED_MODULES, ...PURE, ...PARTS, ...CONTROLS],
});
