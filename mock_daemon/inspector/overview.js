import { button, el } from "../../connectors/base/page/dom.js";
import { clock, counted } from "../../connectors/base/page/format.js";
import { called, failed } from "./request/request.js";
import { select, setFilter, store } from "./store.js";

/** How many failures the overview names; the filter shows the rest. */
const MOST = 6;

function failure(entry) {
  return el(
    "li",
    {},
    button(`${called(entry)}, ${entry.harness ?? entry.agent}`, () => select(entry.id, true), {
      class: "link",
    }),
    el("span", {}, clock(entry.at)),
    el("p", {}, entry.error ?? `${entry.status} ${entry.outcome}`),
  );
}

/** What to look at while no request is selected: the latest failures, with their reasons. */
export function overview() {
  const failures = store.entries.filter(failed).reverse();
  const warned = store.entries.filter(({ warnings }) => warnings.length > 0).length;
  const parts = [
    el(
      "p",
      { class: "hint" },
      "Select a request to see why it failed, its payload, headers, warnings and response.",
    ),
  ];
  if (failures.length > 0) {
    parts.push(
      el("h2", { class: "title" }, counted(failures.length, "failed request")),
      el("ul", { class: "failures" }, ...failures.slice(0, MOST).map(failure)),
      button("Show only failed", () => setFilter({ show: "failed" })),
    );
  }
  if (warned > 0) {
    parts.push(button(`Show ${warned} with warnings`, () => setFilter({ show: "warned" })));
  }
  return parts;
}
