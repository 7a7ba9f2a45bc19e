import { byId } from "../../connectors/base/page/dom.js";
import { readAddress, writeAddress } from "../../connectors/base/page/address.js";
import { NO_FILTER, store, update } from "./store.js";

const number = (text) => /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;

/** What the address of the page holds: the view, the filter, the selection, and the part of time. */
function toAddress() {
  return {
    view: store.view === "requests" ? "" : store.view,
    ...store.filter,
    request: store.selected,
    compare: store.base,
    from: store.span && Math.round(store.span.from),
    to: store.span && Math.round(store.span.to),
    search: byId("memory-query").value,
  };
}

/** Takes the state of the page from its address. */
export function readLink() {
  const address = readAddress();
  const filter = Object.fromEntries(
    Object.keys(NO_FILTER).map((field) => [field, address[field] ?? ""]),
  );
  const selected = number(address.request);
  const [from, to] = [number(address.from), number(address.to)];
  byId("memory-query").value = address.search ?? "";
  update({
    view: address.view ?? "requests",
    filter,
    selected,
    open: selected !== undefined,
    base: number(address.compare),
    span: from !== undefined && to !== undefined && from < to ? { from, to } : undefined,
  });
}

let wasOpen = false;

export function writeLink() {
  const covers = getComputedStyle(byId("back")).display !== "none";
  const opens = covers && store.open && !wasOpen;
  wasOpen = store.open;
  writeAddress(toAddress(), opens);
}

// Back closes the details; the filter and the request to compare with stay as they are.
addEventListener("popstate", () => {
  const selected = number(readAddress().request);
  wasOpen = selected !== undefined;
  update({ selected, open: wasOpen });
});
