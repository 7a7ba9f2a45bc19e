import { byId } from "./dom.js";

/** Runs the action of a key, except while the user types or reads a dialog. */
export function listenForKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    if (typing && event.key === "Escape") return byId("list").focus();
    const act = typing || document.querySelector("dialog[open]") !== null ? undefined : actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  byId("theme").addEventListener("click", actions.t);
  byId("help-open").addEventListener("click", actions["?"]);
}
