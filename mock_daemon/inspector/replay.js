import { button, el } from "../../connectors/base/page/dom.js";
import { getJson } from "../../connectors/base/page/get_json.js";
import { bodyText, incomplete, target } from "./request/curl.js";
import { select, store } from "./store.js";
import { toast } from "../../connectors/base/page/toast.js";

/** Headers that mean the same in a replay; the rest belongs to the first sender's connection, or is a key. */
const KEPT = /^(content-type|accept|idempotency-key|x-signet-(?!mock-).*)$/;
/** A replay of a request that hangs ends after this. */
const LONGEST_MS = 30_000;

/** Sends a request again, to this daemon and nowhere else, and selects its record. */
async function send(request, key) {
  const url = new URL(target(request), location.origin);
  if (url.origin !== location.origin) return toast("A replay goes only to this daemon.", "bad");
  const headers = Object.entries(request.headers).filter(([name]) => KEPT.test(name));
  const since = Math.max(request.id, ...store.entries.map(({ id }) => id));
  try {
    const response = await fetch(url, {
      method: request.method,
      headers: {
        ...Object.fromEntries(headers),
        "x-signet-mock-replay": String(request.id),
        ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
      },
      body: ["GET", "HEAD"].includes(request.method) ? undefined : bodyText(request),
      redirect: "manual",
      cache: "no-store",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    await response.body?.cancel();
    toast(`Replayed request ${request.id}.`);
  } catch {
    toast(`Replayed request ${request.id}; there was no complete response.`, "warn");
  }
  const recorded = await getJson(`/__mock/requests?brief=1&limit=5000&cursor=${since}`);
  const replay = recorded?.requests.findLast(({ replayOf }) => replayOf === request.id);
  if (replay !== undefined) select(replay.id, true);
}

const hadKey = (request) => request.headers.authorization !== undefined;

/** What to confirm before a replay; undefined if it may run at once. */
function question(request) {
  if (["DELETE", "PUT", "PATCH"].includes(request.method) || request.path.startsWith("/api/auth/")) {
    return `${request.method} ${request.path} changes what this daemon stores. Send it again?`;
  }
  return hadKey(request) && store.info.auth !== "local"
    ? "The request had a key, which the record does not contain. Enter one, or send the request without."
    : undefined;
}

/** The form to confirm a replay. */
function confirmation(request, text, close) {
  const input = el("input", { type: "password", autocomplete: "off", placeholder: "sig_sk_…" });
  const form = el(
    "form",
    { class: "note", "data-tone": "warn" },
    el("p", {}, text),
    hadKey(request) && el("label", {}, "API key, used once and not stored ", input),
    el(
      "div",
      { class: "actions" },
      el("button", { class: "primary" }, "Send again"),
      button("Cancel", close),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = input.value.trim();
    close();
    send(request, key);
  });
  return form;
}

/** Replays a request at once, or shows a form in `place` first. */
export function replay(request, place) {
  const reason = incomplete(request);
  if (reason !== undefined) return toast(`This request cannot be replayed: ${reason}.`, "bad");
  const text = question(request);
  if (text === undefined) return send(request, "");
  const form = confirmation(request, text, () => place.replaceChildren());
  place.replaceChildren(form);
  form.querySelector("input, button").focus();
}
