import { byId } from "../../../base/page/dom.js";
import { readAddress, writeAddress } from "../../../base/page/address.js";
import { store, update } from "./store.js";

const KINDS = ["session", "message", "file"];

/** Takes the view and the selection from the address, so that a reload keeps them. */
export function readLink() {
  const address = readAddress();
  const kind = KINDS.find((each) => address[each] !== undefined);
  byId("history-words").value = address.search ?? "";
  update({
    view: address.view ?? "agents",
    session: address.of ?? "",
    selected: kind && { kind, key: address[kind] },
    open: kind !== undefined,
  });
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

// Back closes the details.
addEventListener("popstate", () => {
  readLink();
  wasOpen = store.open;
});
