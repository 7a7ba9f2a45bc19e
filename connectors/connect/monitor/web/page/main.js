import { onChange } from "../../../../base/page/redraw.js";
import { drawDetail } from "./detail/detail.js";
import { listen } from "./feed.js";
import { readLink, writeLink } from "./link.js";
import { drawList } from "./list.js";
import { drawTimeline } from "./timeline/timeline.js";
import { drawViews } from "./views.js";

for (const draw of [drawViews, drawList, drawTimeline, drawDetail, writeLink]) onChange(draw);
// The right edge of the lanes is the current time, so redraw even if nothing happens.
setInterval(drawTimeline, 2000);
readLink();
listen();
