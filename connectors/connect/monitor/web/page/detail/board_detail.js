import { el } from "../../../../../base/page/dom.js";
import { clock, counted, lasted } from "../../../../../base/page/format.js";
import { lockLine, mayRelease, whyNot } from "./release.js";
import { sendForm } from "./send_form.js";
import { activity, baseName } from "../sessions.js";
import { nameOf, store } from "../store.js";

/** A sentence in a quiet colour. */
export const hint = (text) => el("p", { class: "hint" }, text);

/** A titled box. */
function box(title, aside, ...content) {
  return el(
    "section",
    { class: "box" },
    el("h3", {}, title, el("span", { class: "aside" }, aside)),
    ...content,
  );
}

function pairs(object) {
  const known = Object.entries(object).filter(([, value]) => value !== undefined && value !== "");
  return el(
    "dl",
    { class: "pairs" },
    ...known.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

/** The locks among `locks`, with what can be done about them. */
export function lockBox(locks) {
  if (locks.length === 0) return undefined;
  const locked = locks.find((lock) => !mayRelease(lock));
  return box(
    "Locks",
    String(locks.length),
    el("ul", { class: "locks" }, ...locks.map(lockLine)),
    locked !== undefined && el("p", { class: "hint" }, whyNot(locked)),
  );
}

/** What a session does, its locks, and a form to write to it. */
export function sessionParts(session, key) {
  if (session === undefined) {
    return [
      el("h2", { class: "title" }, key === "person" ? "You" : nameOf(key)),
      hint(
        key === "person"
          ? "Messages that people at a command line or on this page sent or got."
          : "This session has ended. Its messages are in the list and in the history.",
      ),
    ];
  }
  const { handle, harness, agentId, project, machine, status, since, tool, file, unread, startedAt } =
    session;
  const waits = status === "waiting";
  return [
    el(
      "h2",
      { class: "title" },
      handle,
      " ",
      el(
        "span",
        { class: "pill status", "data-status": status },
        waits ? "waits for you" : status ?? "elsewhere",
      ),
    ),
    el(
      "p",
      { class: "sub" },
      [harness, `agent ${agentId}`, machine].filter(Boolean).join(" · "),
      el("code", {}, project),
    ),
    waits &&
    el(
      "section",
      { class: "note", "data-tone": "warn" },
      el("h3", {}, "It waits for you"),
      el(
        "p",
        {},
        `Answer it in its terminal${tool === undefined ? "" : `: it wants to use ${tool}`}${
          file === undefined ? "" : ` on ${file}`
        }.`,
      ),
    ),
    box(
      "Now",
      since === undefined ? "" : lasted(Math.max(0, Date.now() - since)),
      pairs({
        Does: activity(session),
        File: file,
        Started: startedAt > 0 ? clock(startedAt) : undefined,
        "Last hook": clock(session.seenAt),
        Unread: unread > 0 ? counted(unread, "message") : undefined,
        "Woken by": session.wake === "none" ? "nothing: it reads messages at its next prompt" : session.wake,
      }),
    ),
    lockBox(store.locks.filter((lock) => lock.session === key)),
    status !== "gone" && box(`Write to ${handle}`, "", sendForm(handle)),
  ];
}

/** Who holds a file, and who did before. */
export function fileParts(path) {
  const locks = store.locks.filter((lock) => lock.path === path);
  const past = store.bars.filter((bar) => bar.path === path && bar.token === undefined).reverse();
  return [
    el("h2", { class: "title" }, baseName(path)),
    el("p", { class: "sub" }, el("code", {}, path)),
    locks.length === 0 && hint("Nobody holds a lock on it now."),
    ...locks.map(({ holder, since, until, intent, scope, kind, reach, remote }) =>
      box(
        "Locked",
        holder,
        pairs({
          Since: since > 0 ? clock(since) : undefined,
          Until: `${clock(until)}, unless it is renewed`,
          Intent: intent,
          Covers: scope === "tree" ? "the directory and everything below it" : "the file",
          Taken: kind === "auto" ? "by an edit" : "on request",
          Reaches: reach === "machine"
            ? undefined
            : `every clone of ${remote ?? "its repository"} (${reach})`,
        }),
      )
    ),
    lockBox(locks),
    past.length > 0 &&
    box(
      "Before",
      String(past.length),
      el(
        "ul",
        { class: "locks" },
        ...past.slice(0, 50).map((bar) =>
          el(
            "li",
            { class: "lock" },
            el("b", {}, bar.holder),
            el(
              "span",
              {},
              `${clock(bar.from)} – ${clock(bar.to)}`,
              bar.end === undefined ? "" : ` ${bar.end}`,
            ),
          )
        ),
      ),
    ),
  ];
}
