import { button, el } from "../../connectors/base/page/dom.js";
import { copy } from "../../connectors/base/page/toast.js";
import { bodyText, incomplete, toCurl } from "./request/curl.js";
import { replay } from "./replay.js";
import { store } from "./store.js";

function curlNote(request) {
  const key = request.headers.authorization === undefined ? "" : " It reads the key from $SIGNET_API_KEY.";
  const reason = incomplete(request);
  return `Copied as curl.${key}${reason === undefined ? "" : ` It is not exactly what was sent: ${reason}.`}`;
}

/** What can be done with a request; `compare` is what the last button does. */
export function actions(request, compare) {
  const place = el("div");
  const payload = typeof request.body === "string" ? request.body : JSON.stringify(request.body, null, 2);
  const reason = incomplete(request);
  return [
    el(
      "div",
      { class: "actions" },
      button("Copy as curl", () => copy(toCurl(request, location.origin), curlNote(request))),
      bodyText(request) !== undefined && button("Copy payload", () => copy(payload, "Copied the payload.")),
      button("Replay", () => replay(request, place), {
        id: "replay",
        disabled: reason !== undefined,
        title: reason === undefined ? "Send it again, to this daemon (r)" : `Cannot be replayed: ${reason}`,
      }),
      button(store.base === request.id ? "Choose another…" : "Compare", compare, {
        id: "compare",
        "aria-pressed": String(store.base === request.id),
        title: "Compare with another request (c)",
      }),
    ),
    place,
    store.base === request.id && el(
      "p",
      { class: "note", "data-tone": "quiet" },
      "This is A. Choose another request in the list, and what differs is shown here.",
    ),
  ];
}
