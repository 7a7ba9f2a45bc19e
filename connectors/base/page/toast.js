import { byId, el } from "./dom.js";

let timer = 0;

// The page has an element #toast with the role "status", and a dialog #copy with a text area #copy-text.

/** Shows a sentence at the bottom of the page, and reads it to screen readers. */
export function toast(sentence, tone = "good") {
  const box = byId("toast");
  box.replaceChildren(el("p", { "data-tone": tone }, sentence));
  clearTimeout(timer);
  timer = setTimeout(() => box.replaceChildren(), 6000);
}

/** Copies text, and shows `done`. Where the browser forbids it, shows the text to copy by hand. */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    byId("copy-text").value = text;
    byId("copy").showModal();
    byId("copy-text").select();
  }
}
