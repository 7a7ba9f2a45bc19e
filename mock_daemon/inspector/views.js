import { byId } from "../../connectors/base/page/dom.js";
import { drawMemories } from "./memories.js";
import { store, update } from "./store.js";

const VIEWS = ["requests", "memories", "harnesses"];
const isOpen = (view) => !byId(`tab-${view}`).hidden;

export function show(view) {
  if (isOpen(view)) update({ view });
}

let drawn;

export function drawViews() {
  const view = VIEWS.includes(store.view) && isOpen(store.view) ? store.view : "requests";
  for (const each of VIEWS) {
    byId(each).hidden = each !== view;
    byId(`tab-${each}`).setAttribute("aria-selected", String(each === view));
    byId(`tab-${each}`).tabIndex = each === view ? 0 : -1;
  }
  if (view === "memories" && drawn !== view) drawMemories();
  drawn = view;
}

for (const view of VIEWS) byId(`tab-${view}`).addEventListener("click", () => show(view));
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const open = VIEWS.filter(isOpen);
  const next = open[(open.indexOf(drawn) + by + open.length) % open.length];
  show(next);
  byId(`tab-${next}`).focus();
});
