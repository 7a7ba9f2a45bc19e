import { createTabs } from "../../connectors/base/page/tabs.js";
import { drawMemories } from "./memories.js";
import { store, update } from "./store.js";

const tabs = createTabs(["requests", "memories", "harnesses"], (view) => update({ view }));

export function show(view) {
  tabs.show(view);
}

export function drawViews() {
  if (tabs.draw(store.view) === "memories") drawMemories();
}
