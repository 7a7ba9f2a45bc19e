import { byId, el } from "../../connectors/base/page/dom.js";
import { getJson } from "../../connectors/base/page/get_json.js";

function cell(facet, support) {
  if (support === "yes") return el("td", { "data-support": "yes", "data-facet": facet }, "✓ yes");
  const partly = support?.partly;
  if (partly !== undefined) {
    return el("td", { "data-support": "partly", "data-facet": facet }, "◐ partly", el("small", {}, partly));
  }
  return el("td", { "data-support": "no", "data-facet": facet }, "– no", el("small", {}, support?.no ?? ""));
}

/** Draws the table of what each harness supports. */
export async function drawMatrix() {
  const matrix = (await getJson("/__mock/matrix"))?.matrix;
  if (!Array.isArray(matrix) || matrix.length === 0) return;
  const facets = [...new Set(matrix.flatMap((harness) => Object.keys(harness.fidelity)))];
  byId("harnesses").append(el(
    "table",
    {},
    el(
      "thead",
      {},
      el("tr", {}, el("th", {}, "Harness"), ...facets.map((facet) => el("th", { scope: "col" }, facet))),
    ),
    el(
      "tbody",
      {},
      ...matrix.map((harness) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, harness.displayName ?? harness.id),
          ...facets.map((facet) => cell(facet, harness.fidelity[facet])),
        )
      ),
    ),
  ));
  byId("tab-harnesses").hidden = false;
}
