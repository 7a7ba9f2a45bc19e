import { byId, el } from "../../connectors/base/page/dom.js";
import { getJson } from "../../connectors/base/page/get_json.js";
import { follow } from "../../connectors/base/page/live.js";
import { drawMemories } from "./memories.js";
import { add, clear, store } from "./store.js";

/** Requests received while paused. */
const held = [];

function receive(entries) {
  if (store.paused) {
    held.push(...entries);
    byId("pause").textContent = `Resume (${held.length})`;
  } else add(entries);
}

export function pause() {
  store.paused = !store.paused;
  byId("pause").setAttribute("aria-pressed", String(store.paused));
  byId("pause").textContent = store.paused ? "Resume" : "Pause";
  if (!store.paused) receive(held.splice(0));
}

const STATES = { live: "live", lost: "disconnected, retrying" };

function setState(state) {
  byId("live").dataset.state = state;
  byId("live").textContent = STATES[state];
}

function drawFacts() {
  const { auth, strict, scriptable, db } = store.info;
  const facts = [
    `auth: ${auth}`,
    strict && "strict",
    scriptable && "scriptable",
    db === null ? "in memory" : "on disk",
  ];
  byId("facts").replaceChildren(
    ...facts.filter((fact) => fact).map((fact) => el("span", { class: "chip" }, fact)),
  );
}

let memoriesAt = 0;
/** How long to wait before trying again to load the page's first data. */
const RETRY_MS = 1000;

/** Loads the requests so far, then follows the daemon; starts over if it was restarted. */
export async function listen() {
  const info = await getJson("/__mock/info");
  const loaded = await getJson("/__mock/requests?brief=1&limit=5000");
  if (info === undefined || loaded === undefined) {
    setState("lost");
    return setTimeout(listen, RETRY_MS);
  }
  store.info = info;
  drawFacts();
  add(loaded.requests);
  const stop = follow(`/__mock/events?brief=1&cursor=${loaded.cursor}`, {
    async onState(state) {
      setState(state);
      if (state !== "live") return;
      const now = await getJson("/__mock/info");
      if (now === undefined || now.startedAt === info.startedAt) return;
      // A new daemon counts its requests from 1 again.
      stop();
      held.length = 0;
      clear();
      listen();
    },
    onMessage(entry) {
      receive([entry]);
      clearTimeout(memoriesAt);
      memoriesAt = setTimeout(drawMemories, 300);
    },
  });
}

byId("pause").addEventListener("click", pause);
byId("clear").addEventListener("click", async () => {
  await fetch("/__mock/requests", { method: "DELETE" });
  held.length = 0;
  clear();
});
