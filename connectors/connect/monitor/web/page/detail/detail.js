import { byId } from "../../../../../base/page/dom.js";
import { fileParts, hint, lockBox, sessionParts } from "./board_detail.js";
import { conversationBox, messageParts } from "./message_detail.js";
import { overview } from "./overview.js";
import { select, store, update } from "../store.js";

const pane = byId("detail");
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
