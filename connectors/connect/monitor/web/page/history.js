import { byId, el } from "../../../../base/page/dom.js";
import { counted } from "../../../../base/page/format.js";
import { changed } from "../../../../base/page/redraw.js";
import { ask } from "./api.js";
import { letter } from "./detail/message_detail.js";

/** How long to wait for the next key before the server is asked. */
const PAUSE_MS = 150;
let latest = 0;
let timer = 0;

/** Searches the history; only the response to the latest search is shown. */
export async function drawHistory() {
  const current = ++latest;
  // The address has the search.
  changed();
  const search = new URLSearchParams({
    words: byId("history-words").value,
    agent: byId("history-agent").value.trim(),
    since: byId("history-since").value,
  });
  const { status, body } = await ask(`/api/history?${search}`);
  if (current !== latest) return;
  const messages = status === 200 ? body.messages : [];
  const outcome = byId("history-count");
  outcome.toggleAttribute("data-bad", status !== 200);
  outcome.textContent = status === 200 ? counted(messages.length, "message") : body.error;
  byId("history-list").replaceChildren(...messages.map((message) => el("li", {}, letter(message))));
  byId("history-empty").hidden = status !== 200 || messages.length > 0;
}

byId("history-search").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(drawHistory, PAUSE_MS);
});
byId("history-search").addEventListener("submit", (event) => event.preventDefault());
