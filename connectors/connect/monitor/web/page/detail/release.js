import { button, byId, el } from "../../../../../base/page/dom.js";
import { clock, lasted } from "../../../../../base/page/format.js";
import { toast } from "../../../../../base/page/toast.js";
import { ask } from "../api.js";
import { baseName } from "../sessions.js";
import { select, store } from "../store.js";

/** Whether the server allows to release a lock: that of an agent needs more than that of a person. */
export function mayRelease({ harness, token }) {
  if (token === "") return false;
  return harness === "person" ? store.allowed.send : store.allowed.force;
}

/** Why a lock cannot be released here. */
export function whyNot({ token }) {
  if (token === "") return "This lock cannot be read; it ends by itself within ten minutes.";
  return `To release an agent's lock from this page, start it with: ${store.binary} monitor --web --mode admin`;
}

/** Asks for confirmation, then releases a lock. */
function confirmRelease(lock) {
  const dialog = byId("release");
  byId("release-what").replaceChildren(
    el("b", {}, lock.holder),
    " holds ",
    el("code", {}, lock.path),
    ` until ${clock(lock.until)}, for another ${lasted(Math.max(0, lock.until - Date.now()))}. `,
    lock.harness === "person" ? "" : "It gets a message to read the file again before it edits it.",
  );
  dialog.returnValue = "";
  dialog.onclose = async () => {
    // The button that opened it may have been drawn again meanwhile.
    if (document.activeElement === document.body) byId("detail").focus();
    if (dialog.returnValue !== "release") return;
    const { status, body } = await ask("/api/release", { token: lock.token });
    if (status === 200) toast(`Released ${baseName(body.path)}. ${lock.holder} was notified.`);
    else toast(body.error, "bad");
  };
  dialog.showModal();
}

/** A lock as a line with what can be done about it. */
export function lockLine(lock) {
  const { path, holder, intent, until, scope } = lock;
  return el(
    "li",
    { class: "lock" },
    button(baseName(path) + (scope === "tree" ? "/**" : ""), () => select("file", path, true), {
      class: "link",
      title: path,
    }),
    el("span", {}, `${holder} · until ${clock(until).slice(0, 5)}`),
    intent !== "" && el("q", {}, intent),
    button("Release", () => confirmRelease(lock), {
      "aria-label": `Release ${baseName(path)}`,
      disabled: !mayRelease(lock),
      title: mayRelease(lock) ? undefined : whyNot(lock),
    }),
  );
}
