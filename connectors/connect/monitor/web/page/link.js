import { byId } from "../../../../base/page/dom.js";
import { readAddress, writeAddress } from "../../../../base/page/address.js";
import { store, update } from "./store.js";

const KINDS = ["session", "message", "file"];

/** What the address says that the details are about. */
function selection(address) {
  const kind = KINDS.find((each) => address[each] !== undefined);
  return { selected: kind && { kind, key: address[kind] }, open: kind !== undefined };
}

/** Takes the view and the selection from the address, so that a reload keeps them. */
export function readLink() {
  const address = readAddress();
  byId("history-words").value = address.search ?? "";
  update({ view: address.view ?? "agents", session: address.of ?? "", ...selection(address) });
}

let wasOpen = false;

export function writeLink() {
  const covers = getComputedStyle(byId("back")).display !== "none";
  const opens = covers && store.open && !wasOpen;
  wasOpen = store.open;
  writeAddress({
    view: store.view === "agents" ? "" : store.view,
    of: store.session,
    ...(store.selected && { [store.selected.kind]: store.selected.key }),
    search: store.view === "history" ? byId("history-words").value : "",
  }, opens);
}

// Back closes the details; the session whose messages are listed stays.
addEventListener("popstate", () => {
  update(selection(readAddress()));
  wasOpen = store.open;
});
