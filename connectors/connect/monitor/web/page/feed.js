import { byId, el } from "../../../../base/page/dom.js";
import { follow } from "../../../../base/page/live.js";
import { ask, eventsUrl } from "./api.js";
import { apply, store, update } from "./store.js";

const STATES = { live: "live", lost: "disconnected, retrying", refused: "not allowed" };
/** How long to wait before trying again to reach the server. */
const RETRY_MS = 1000;

function setState(state) {
  byId("live").dataset.state = state === "refused" ? "lost" : state;
  byId("live").textContent = STATES[state];
}

function drawFacts() {
  const { send, force } = store.allowed;
  const mode = force ? "mode: admin" : send ? "mode: write" : "mode: readonly";
  byId("facts").replaceChildren(el("span", { class: "chip" }, mode));
}

/** Follows the server. A token that it does not accept will not be accepted later either. */
export async function listen() {
  const { status, body } = await ask("/api/info");
  if (status === 401) {
    setState("refused");
    byId("refused").hidden = false;
    return;
  }
  if (status !== 200) {
    setState("lost");
    return setTimeout(listen, RETRY_MS);
  }
  update({ allowed: body.allowed, binary: body.binary });
  drawFacts();
  const stop = follow(eventsUrl(), {
    onMessage: apply,
    onState(state) {
      setState(state);
      if (state === "live") return;
      // A server that was started again has another token: then the stream would never come back.
      stop();
      setTimeout(listen, RETRY_MS);
    },
  });
}
