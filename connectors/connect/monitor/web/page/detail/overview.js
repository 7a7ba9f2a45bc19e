import { button, el } from "../../../../../base/page/dom.js";
import { counted } from "../../../../../base/page/format.js";
import { sendForm } from "./send_form.js";
import { activity } from "../sessions.js";
import { select, store } from "../store.js";

/** More would push everything else out of sight. */
const WAITING = 8;

function count(status) {
  return store.sessions.filter((session) => session.status === status).length;
}

/** Who waits for the user, then who waits for another agent. */
function whoWaits(live) {
  const waiting = live.filter(({ waitsFor }) => waitsFor !== undefined)
    .sort((a, b) => Number(b.status === "waiting") - Number(a.status === "waiting"));
  if (waiting.length === 0) return undefined;
  const line = (session) =>
    el(
      "li",
      {},
      button(session.handle, () => select("session", session.key, true), { class: "link" }),
      ` ${activity(session)}`,
    );
  const more = waiting.length - WAITING;
  return el(
    "section",
    { class: "note", "data-tone": "warn" },
    el("h3", {}, "Who waits"),
    el("ul", { class: "waiting" }, ...waiting.slice(0, WAITING).map(line)),
    more > 0 && el("p", {}, `and ${more} more`),
  );
}

/** What to look at first: who waits, what is locked, and a form to write to somebody. */
export function overview(locks) {
  if (!store.loaded) return [el("p", { class: "hint" }, "Loading …")];
  const problems = store.problems.map((problem) =>
    el("section", { class: "note", "data-tone": "bad" }, el("p", {}, problem))
  );
  const live = store.sessions.filter(({ status }) => status !== "gone");
  if (live.length === 0) return [...problems, el("p", { class: "hint" }, "Nobody is here now."), locks];
  const counts = {
    working: count("working"),
    waiting: count("waiting"),
    idle: count("idle") + count("starting"),
  };
  const states = Object.entries(counts).filter(([, number]) => number > 0)
    .map(([name, number]) => `${number} ${name}`);
  return [
    ...problems,
    el("h2", { class: "title" }, counted(live.length, "agent"), ": ", states.join(", ")),
    whoWaits(live),
    locks,
    el("section", { class: "box" }, el("h3", {}, "Write to an agent"), sendForm(undefined)),
    el("p", { class: "hint" }, "Choose a lane or a message to see more. Press ? for the keys."),
  ];
}
