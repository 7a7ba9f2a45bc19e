import { el } from "../../../../base/page/dom.js";
import { store } from "./store.js";

const code = (text) => el("code", {}, text);

/** How to begin, while there is nobody to show. */
export function howToBegin() {
  return [
    el("h2", { class: "title" }, "No agents yet"),
    el("p", {}, "An agent appears here with its first prompt, once its harness takes part:"),
    el(
      "ol",
      { class: "begin" },
      el("li", {}, "Connect the harnesses of this machine: ", code(`${store.binary} setup --agents`)),
      el(
        "li",
        {},
        "Start a harness as always: ",
        code("claude"),
        ", ",
        code("codex"),
        ", ",
        code("opencode"),
        " …",
      ),
      el("li", {}, "Write to it from here, or from a shell: ", code(`${store.binary} send codex "…"`)),
    ),
    el("p", { class: "hint" }, `${store.binary} status says which harnesses take part.`),
  ];
}
