import { byId, el, setAttribute } from "../../connectors/base/page/dom.js";
import { clock } from "../../connectors/base/page/format.js";
import { called } from "./request/request.js";
import { NO_FILTER, setFilter, store, update, values } from "./store.js";

const FIELDS = ["agent", "harness", "event", "show", "text"];

function options(id, list, all) {
  const select = byId(id);
  const wanted = ["", ...list];
  if (
    wanted.length === select.options.length &&
    wanted.every((value, index) => select.options[index].value === value)
  ) return;
  select.replaceChildren(...wanted.map((value) => el("option", { value }, value === "" ? all : value)));
}

export function drawFilters() {
  options("filter-agent", values("agent"), "all");
  options("filter-harness", values("harness"), "all");
  options("filter-event", [...new Set([...values("event"), "other"])], "all");
  for (const field of FIELDS) {
    const control = byId(`filter-${field}`);
    if (control.value !== store.filter[field]) control.value = store.filter[field];
    setAttribute(control, "data-set", store.filter[field] !== "");
  }
  const { session } = store.filter;
  byId("filter-session").hidden = session === "";
  byId("filter-session-name").textContent = session;
  const base = store.entries.find(({ id }) => id === store.base);
  byId("comparing").hidden = store.base === undefined;
  byId("comparing-name").textContent = base === undefined
    ? `request ${store.base}`
    : `${called(base)}, ${clock(base.at)}`;
  const active = Object.keys(NO_FILTER).filter((field) => store.filter[field] !== "").length;
  byId("filters-open").textContent = active === 0 ? "Filters" : `Filters (${active})`;
  byId("filter-none").hidden = active === 0;
}

byId("filters").addEventListener("input", () => {
  setFilter(Object.fromEntries(FIELDS.map((field) => [field, byId(`filter-${field}`).value])));
});
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filter-session").addEventListener("click", () => setFilter({ session: "" }));
byId("comparing").addEventListener("click", () => update({ base: undefined }));
byId("filter-none").addEventListener("click", () => update({ filter: { ...NO_FILTER } }));
byId("filters-open").addEventListener("click", () => {
  const open = byId("filters").toggleAttribute("data-open");
  byId("filters-open").setAttribute("aria-expanded", String(open));
});
