import { createTabs } from "../../../../base/page/tabs.js";
import { drawHistory } from "./history.js";
import { store, update } from "./store.js";

const tabs = createTabs(["agents", "history"], (view) => update({ view }));

export function show(view) {
  tabs.show(view);
}

export function drawViews() {
  if (tabs.draw(store.view) === "history") drawHistory();
}
