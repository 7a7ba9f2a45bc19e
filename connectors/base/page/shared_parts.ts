import tokensCss from "./styles/tokens.css" with { type: "text" };
import controlsCss from "./styles/controls.css" with { type: "text" };
import frameCss from "./styles/frame.css" with { type: "text" };
import notesCss from "./styles/notes.css" with { type: "text" };
import lanesCss from "./styles/lanes.css" with { type: "text" };
import marksCss from "./styles/marks.css" with { type: "text" };
import splitCss from "./styles/split.css" with { type: "text" };
import rowsCss from "./styles/rows.css" with { type: "text" };
import boxesCss from "./styles/boxes.css" with { type: "text" };
import address from "./address.js" with { type: "text" };
import dom from "./dom.js" with { type: "text" };
import format from "./format.js" with { type: "text" };
import laneCanvas from "./lanes/lane_canvas.js" with { type: "text" };
import lanes from "./lanes/lanes.js" with { type: "text" };
import lanesInput from "./lanes/lanes_input.js" with { type: "text" };
import listbox from "./listbox.js" with { type: "text" };
import live from "./live.js" with { type: "text" };
import redraw from "./redraw.js" with { type: "text" };
import shortcuts from "./shortcuts.js" with { type: "text" };
import tabs from "./tabs.js" with { type: "text" };
import theme from "./theme.js" with { type: "text" };
import timeAxis from "./lanes/time_axis.js" with { type: "text" };
import timeSpan from "./lanes/time_span.js" with { type: "text" };
import toast from "./toast.js" with { type: "text" };

/** The style sheets of every page, in order. */
export const SHARED_STYLES: readonly string[] = [
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

/** The modules of every page, each after those it imports. */
export const SHARED_MODULES: readonly string[] = [
  dom,
  format,
  address,
  live,
  listbox,
  redraw,
  tabs,
  theme,
  shortcuts,
  timeAxis,
  timeSpan,
  lanesInput,
  laneCanvas,
  lanes,
  toast,
];
