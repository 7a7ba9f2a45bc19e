import { byId, el } from "../../connectors/base/page/dom.js";
import { counted } from "../../connectors/base/page/format.js";
import { getJson } from "../../connectors/base/page/get_json.js";
import { toHar, toJsonLines } from "./request/har.js";
import { passes } from "./request/request.js";
import { store } from "./store.js";
import { toast } from "../../connectors/base/page/toast.js";

const FORMATS = {
  har: {
    type: "application/json",
    write: (requests) => JSON.stringify(toHar(requests, location.origin), null, 1),
  },
  jsonl: { type: "application/x-ndjson", write: toJsonLines },
};

/** Loads whole requests, those that the page shows; undefined if the daemon cannot be reached. */
async function load() {
  const wanted = new Set(store.entries.filter((entry) => passes(entry, store.filter)).map(({ id }) => id));
  const loaded = [];
  for (let cursor = 0;;) {
    const page = await getJson(`/__mock/requests?limit=500&cursor=${cursor}`);
    if (page === undefined) return undefined;
    loaded.push(...page.requests.filter(({ id }) => wanted.has(id)));
    if (page.requests.length < 500) return loaded;
    cursor = page.cursor;
  }
}

/** Saves the requests that pass the filters as a file. */
export async function save(format) {
  const { type, write } = FORMATS[format];
  const requests = await load();
  if (requests === undefined) return toast("Nothing was saved: the daemon cannot be reached.", "bad");
  const url = URL.createObjectURL(new Blob([write(requests)], { type }));
  const name = `signet-requests-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.${format}`;
  el("a", { href: url, download: name }).click();
  // The download has its own reference once it has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  byId("export").open = false;
  toast(`Saved ${counted(requests.length, "request")} as ${name}. Keys are redacted.`);
}

for (const format of Object.keys(FORMATS)) {
  byId(`export-${format}`).addEventListener("click", () => save(format));
}
byId("export").addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !byId("export").open) return;
  event.stopPropagation();
  byId("export").open = false;
  byId("export").querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  if (event.target instanceof Node && !byId("export").contains(event.target)) byId("export").open = false;
});
