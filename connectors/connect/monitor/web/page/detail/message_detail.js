import { button, el } from "../../../../../base/page/dom.js";
import { clock, lasted } from "../../../../../base/page/format.js";
import { ask } from "../api.js";
import { partyName } from "../timeline/lanes_model.js";
import { receivers, statePill } from "../list.js";
import { sendForm } from "./send_form.js";
import { select, store } from "../store.js";

const PRIORITIES = { 1: "note", 2: "low", 3: "normal", 4: "urgent", 5: "stop" };

/** The name of a session, as a button where it is on the board. */
function partyLink(party) {
  const { key } = party;
  const isKnown = store.sessions.some((session) => session.key === key);
  const name = partyName(party);
  return isKnown ? button(name, () => select("session", key, true), { class: "link" }) : name;
}

/** A message: who, when, what became of it, its text, and a form to write to its sender. */
export function messageParts({ id, at, from, to, text, priority, state, seenAt, wants, thread }) {
  const facts = [
    clock(at, true),
    PRIORITIES[priority],
    wants === "reply" && "wants an answer",
    thread,
    seenAt !== undefined && `seen after ${lasted(Math.max(0, seenAt - at))}`,
  ];
  const sender = store.sessions.find(({ key, status }) => key === from.key && status !== "gone");
  return [
    el("h2", { class: "title" }, partyName(from), " → ", receivers(to), " ", statePill(state)),
    el(
      "p",
      { class: "sub" },
      "from ",
      partyLink(from),
      ` (agent ${from.agentId}) to `,
      ...to.slice(0, 8).flatMap((each, index) => [index === 0 ? "" : ", ", partyLink(each)]),
      to.length > 8 ? ` and ${to.length - 8} more` : "",
      el("code", {}, facts.filter(Boolean).join(" · ")),
      el("code", {}, id),
    ),
    el(
      "section",
      { class: "box" },
      el("h3", {}, "Text", el("span", { class: "aside" }, `${text.length} characters`)),
      el("pre", { class: "text", tabindex: "0" }, text),
    ),
    sender !== undefined &&
    el("section", { class: "box" }, el("h3", {}, `Write to ${sender.handle}`), sendForm(sender.handle)),
  ];
}

/** The conversation that a message belongs to, from the history; undefined if it is alone. */
export async function conversationBox(id) {
  const { status, body } = await ask(`/api/conversation/${encodeURIComponent(id)}`);
  if (status !== 200 || body.messages.length < 2) return undefined;
  return el(
    "section",
    { class: "box" },
    el("h3", {}, "Conversation", el("span", { class: "aside" }, String(body.messages.length))),
    ...body.messages.map((message) => letter(message, message.id === id)),
  );
}

/** A message of the history, as a card. */
export function letter({ at, from, to, text, state, project }, isCurrent = false) {
  return el(
    "article",
    { class: "letter", "aria-current": isCurrent && "true" },
    el("p", {}, el("b", {}, from), ` → ${to} `, statePill(state)),
    el("pre", { class: "text" }, text),
    el("footer", {}, [new Date(at).toLocaleString(), project].filter(Boolean).join(" · ")),
  );
}
