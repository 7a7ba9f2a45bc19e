import { el } from "../../../../../base/page/dom.js";
import { toast } from "../../../../../base/page/toast.js";
import { ask } from "../api.js";
import { store } from "../store.js";

const PRIORITIES = [[1, "1 note"], [2, "2 low"], [3, "3 normal"], [4, "4 urgent"], [5, "5 stop"]];
const STATES = {
  stored: "Sent to",
  accepted: "Sent through the daemon to",
  kept: "On disk until the daemon is back, for",
  nobody: "Nobody is there; it waits for",
};
/** A form that writes to a session, or to one that is chosen in it if `to` is undefined. */
export function sendForm(to) {
  const receiver = el(
    "select",
    { name: "to", required: true },
    ...store.sessions
      .filter(({ status }) => status !== "gone")
      .map(({ handle }) => el("option", { value: handle }, handle)),
  );
  const text = el("textarea", {
    name: "text",
    rows: 4,
    required: true,
    placeholder: "What should it know or do?",
  });
  const priority = el(
    "select",
    { name: "priority" },
    ...PRIORITIES.map(([value, label]) => el("option", { value, selected: value === 3 }, label)),
  );
  const wants = el("input", { type: "checkbox", name: "wants", checked: true });
  const submit = el("button", { class: "primary", disabled: !store.allowed.send }, "Send");
  const form = el(
    "form",
    { class: "send" },
    to === undefined && el("label", {}, "To ", receiver),
    el("label", {}, el("span", { class: "hidden" }, "Text of the message"), text),
    el(
      "div",
      { class: "send-line" },
      el("label", {}, "Priority ", priority),
      el("label", {}, wants, " wants an answer"),
      submit,
    ),
    !store.allowed.send &&
      el("p", { class: "hint" }, "This monitor only reads. Start it with --mode write to send."),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const { status, body } = await ask("/api/send", {
      to: to ?? receiver.value,
      text: text.value,
      priority: Number(priority.value),
      wants: wants.checked ? "reply" : "none",
    });
    submit.disabled = false;
    if (status !== 200) return toast(body.error, "bad");
    text.value = "";
    toast(
      `${STATES[body.state]} ${body.to}. ${body.attention ?? ""}`,
      body.state === "nobody" ? "warn" : "good",
    );
  });
  // As in chats: Enter makes a line, with Ctrl it sends.
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return form;
}
