import getJson from "../../connectors/base/page/get_json.js" with { type: "text" };
import jsonView from "../../connectors/base/page/json_view.js" with { type: "text" };
import { assemble } from "../../connectors/base/page/assemble.ts";
import { SHARED_MODULES, SHARED_STYLES } from "../../connectors/base/page/shared_parts.ts";
import shell from "./page.html" with { type: "text" };
import listCss from "./styles/list.css" with { type: "text" };
import cardsCss from "./styles/cards.css" with { type: "text" };
import detailCss from "./styles/detail.css" with { type: "text" };
import compareCss from "./styles/compare.css" with { type: "text" };
import viewsCss from "./styles/views.css" with { type: "text" };
import actions from "./actions.js" with { type: "text" };
import compare from "./compare.js" with { type: "text" };
import curl from "./request/curl.js" with { type: "text" };
import detail from "./detail.js" with { type: "text" };
import diff from "./request/diff.js" with { type: "text" };
import explain from "./request/explain.js" with { type: "text" };
import exportJs from "./export.js" with { type: "text" };
import feed from "./feed.js" with { type: "text" };
import filters from "./filters.js" with { type: "text" };
import har from "./request/har.js" with { type: "text" };
import keys from "./keys.js" with { type: "text" };
import link from "./link.js" with { type: "text" };
import list from "./list.js" with { type: "text" };
import main from "./main.js" with { type: "text" };
import matrix from "./matrix.js" with { type: "text" };
import overview from "./overview.js" with { type: "text" };
import memories from "./memories.js" with { type: "text" };
import replay from "./replay.js" with { type: "text" };
import request from "./request/request.js" with { type: "text" };
import sessions from "./sessions.js" with { type: "text" };
import store from "./store.js" with { type: "text" };
import timeline from "./timeline.js" with { type: "text" };
import views from "./views.js" with { type: "text" };

const PURE = [request, curl, diff, explain, har, sessions];
const PARTS = [store, list, overview, compare, replay, actions, detail, timeline, memories, matrix];
const CONTROLS = [filters, exportJs, views, feed, link, keys, main];

/** The inspector as a single self-contained page, and the policy that allows only its script and style. */
export const INSPECTOR = assemble({
  shell,
  styles: [...SHARED_STYLES, listCss, detailCss, compareCss, viewsCss, cardsCss],
  modules: [...SHARED_MODULES, getJson, jsonView, ...PURE, ...PARTS, ...CONTROLS],
});
