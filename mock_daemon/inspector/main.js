import { byId, el, tint } from "../../connectors/base/page/dom.js";
import { changed, onChange } from "../../connectors/base/page/redraw.js";
import { drawDetail } from "./detail.js";
import { listen } from "./feed.js";
import { drawFilters } from "./filters.js";
import { readLink, writeLink } from "./link.js";
import { drawList } from "./list.js";
import { drawMatrix } from "./matrix.js";
import { drawMemories } from "./memories.js";
import { drawTimeline } from "./timeline.js";
import { drawViews } from "./views.js";

const EVENTS = [
  "session-start",
  "user-prompt-submit",
  "pre-compaction",
  "compaction-complete",
  "session-end",
  "remember",
  "recall",
];

byId("legend").append(...EVENTS.map((event) => tint(el("li", {}, event), event)));

for (const draw of [drawViews, drawFilters, drawList, drawTimeline, drawDetail, writeLink]) onChange(draw);
byId("memory-query").addEventListener("input", changed);
// The right edge of the lanes is the current time, so redraw even without new requests.
setInterval(drawTimeline, 5000);
readLink();
drawMatrix().then(changed);
drawMemories();
listen();
