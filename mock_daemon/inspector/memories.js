import { byId, el } from "../../connectors/base/page/dom.js";
import { clock } from "../../connectors/base/page/format.js";
import { getJson } from "../../connectors/base/page/get_json.js";

const query = byId("memory-query");

function card(memory) {
  const facts = [
    memory.type,
    memory.agent_id,
    memory.project,
    memory.visibility === "global" ? undefined : memory.visibility,
    memory.pinned ? "pinned" : undefined,
    memory.tags,
    clock(memory.created_at),
  ];
  return el(
    "li",
    { class: "memory" },
    el("p", {}, memory.content),
    el("footer", {}, ...facts.filter((fact) => fact).map((fact) => el("span", { class: "chip" }, fact))),
  );
}

let latest = 0;

/** Loads and shows memories; only the response to the latest query is shown. */
export async function drawMemories() {
  const current = ++latest;
  const search = new URLSearchParams(query.value.trim() === "" ? {} : { q: query.value });
  const loaded = await getJson(`/__mock/memories?${search}`);
  if (current !== latest || loaded === undefined) return;
  const { memories, total } = loaded;
  byId("count-memories").textContent = String(total);
  byId("memory-count").textContent = memories.length === total
    ? `${total}`
    : `${memories.length} of ${total}`;
  byId("memory-list").replaceChildren(...memories.map(card));
}

query.addEventListener("input", drawMemories);
byId("memory-search").addEventListener("submit", (event) => event.preventDefault());
