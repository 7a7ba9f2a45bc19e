import { byId, el } from "../../page/dom.js";
import { follow } from "../../page/live.js";
import { drawMemories } from "./memories.js";
import { add, changed, clear, store } from "./store.js";

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

async function loadInfo() {
  store.info = await (await fetch("/__mock/info")).json();
  drawFacts();
  changed();
}

let memoriesAt = 0;

/** Loads the requests so far, then follows the daemon; starts over if it was restarted. */
export async function listen() {
  await loadInfo();
  const { startedAt } = store.info;
  const { requests, cursor } = await (await fetch("/__mock/requests?brief=1&limit=5000")).json();
  add(requests);
  const stop = follow(`/__mock/events?brief=1&cursor=${cursor}`, {
    async onState(state) {
      setState(state);
      if (state !== "live") return;
      await loadInfo();
      if (store.info.startedAt === startedAt) return;
      // A new daemon counts its requests from 1 again.
      stop();
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
