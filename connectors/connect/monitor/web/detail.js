import { byId, el } from "../../../base/page/dom.js";
import { clock, counted, lasted } from "../../../base/page/format.js";
import { conversationBox, messageParts } from "./message_detail.js";
import { overview } from "./overview.js";
import { lockLine, mayRelease, whyNot } from "./release.js";
import { sendForm } from "./send_form.js";
import { activity, baseName } from "./sessions.js";
import { nameOf, select, store, update } from "./store.js";

const pane = byId("detail");
const hint = (text) => el("p", { class: "hint" }, text);

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

function lockBox(locks) {
  if (locks.length === 0) return undefined;
  const locked = locks.find((lock) => !mayRelease(lock));
  return box(
    "Locks",
    String(locks.length),
    el("ul", { class: "locks" }, ...locks.map(lockLine)),
    locked !== undefined && el("p", { class: "hint" }, whyNot(locked)),
  );
}

function sessionParts(session, key) {
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

function fileParts(path) {
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

function content() {
  const { kind, key } = store.selected ?? {};
  if (kind === "session") return sessionParts(store.sessions.find((each) => each.key === key), key);
  if (kind === "file") return fileParts(key);
  if (kind === "message") {
    const message = store.messages.get(key);
    return message === undefined
      ? [hint("This message is not in memory any more; search the history.")]
      : messageParts(message);
  }
  return overview(lockBox(store.locks));
}

/** What the shown details depend on: they are drawn again only if it changes, so that a draft stays. */
function basis() {
  const { kind, key } = store.selected ?? {};
  const { send, force } = store.allowed;
  if (kind === "message") return JSON.stringify([kind, key, store.messages.get(key)?.state, send]);
  if (kind === "session") {
    const { seenAt: _seenAt, ...session } = store.sessions.find((each) => each.key === key) ?? {};
    return JSON.stringify([kind, session, store.locks.filter((lock) => lock.session === key), send, force]);
  }
  if (kind === "file") return JSON.stringify([kind, key, store.locks, force]);
  return JSON.stringify([
    store.loaded,
    store.sessions.map(({ key, status, handle, waitsFor }) => [key, status, handle, waitsFor]),
    store.locks,
    store.problems,
    send,
    force,
  ]);
}

let drawn = "";
/** What the basis was computed from. */
let looked = [];

/** Draws the parts, and keeps the form with the user's draft if it is for the same receiver. */
export function drawDetail() {
  const opens = store.open && store.selected !== undefined;
  const opened = byId("detail-side").hasAttribute("data-open");
  byId("detail-side").toggleAttribute("data-open", opens);
  // What covers the list also takes the keyboard.
  if (opens && !opened && coversList()) pane.focus();
  const parts = [store.loaded, store.ordered, store.sessions, store.locks, store.selected, store.allowed];
  if (parts.every((part, index) => part === looked[index])) return;
  looked = parts;
  const wanted = basis();
  if (wanted === drawn) return;
  const isSame = pane.dataset.about === about();
  drawn = wanted;
  const draft = isSame ? keptForm() : undefined;
  const focus = keptFocus();
  pane.replaceChildren(...content().filter((part) => part !== undefined && part !== false));
  pane.dataset.about = about();
  draft?.restore();
  focus?.restore();
  if (!isSame) pane.scrollTop = 0;
  const { kind, key } = store.selected ?? {};
  if (kind === "message") {
    conversationBox(key).then((made) => {
      if (made !== undefined && pane.dataset.about === `message ${key}`) pane.append(made);
    });
  }
}

const about = () =>
  store.selected === undefined ? "overview" : `${store.selected.kind} ${store.selected.key}`;

/** The fields of the form that is shown, and the focus in it. */
function keptForm() {
  const form = pane.querySelector("form.send");
  if (form === null) return undefined;
  const values = [...form.elements].map((
    field,
  ) => [field.name, field.type === "checkbox" ? field.checked : field.value]);
  const focused = form.contains(document.activeElement) ? document.activeElement.name : undefined;
  const [start, end] = [form.elements.text.selectionStart, form.elements.text.selectionEnd];
  return {
    restore() {
      const made = pane.querySelector("form.send");
      if (made === null) return;
      for (const [name, value] of values) {
        const field = name === "" ? undefined : made.elements[name];
        if (field === undefined) continue;
        if (field.type === "checkbox") field.checked = value;
        else if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === value)) {
          field.value = value;
        }
      }
      if (focused === undefined || focused === "") return;
      made.elements[focused].focus();
      made.elements.text.setSelectionRange(start, end);
    },
  };
}

/** The button that has the focus; where it is gone, its place in the page is kept by the details. */
function keptFocus() {
  const element = document.activeElement;
  if (!pane.contains(element) || element === pane || element.closest("form.send") !== null) return undefined;
  const label = (each) => each.getAttribute("aria-label") ?? each.textContent;
  const wanted = label(element);
  return {
    restore() {
      const same = [...pane.querySelectorAll("button, [tabindex]")].find((each) => label(each) === wanted);
      (same === undefined || same.disabled ? pane : same).focus();
    },
  };
}

/** Whether the details cover the list, as on a phone. */
function coversList() {
  return getComputedStyle(byId("back")).display !== "none";
}

/** Leaves the details where they cover the list. */
export function closeDetail() {
  select(undefined);
  // The step that opened the details is in the browser's history, unless a link did it.
  if (history.state?.step) history.back();
  byId("list").focus();
}

/** Returns from the details to the list. */
export function leaveDetail() {
  if (coversList()) closeDetail();
  else if (store.selected !== undefined) update({ selected: undefined, session: "" });
  byId("list").focus();
}

/** Focuses the text of the form in the details. */
export function writeMessage() {
  pane.querySelector("form.send textarea")?.focus();
}

byId("back").addEventListener("click", closeDetail);
byId("detail-side").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  // The page has this key too.
  event.preventDefault();
  leaveDetail();
});
