/** The element with this id, which must exist. */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element;
}

/**
 * Creates an element. Strings become text nodes and are never parsed as HTML.
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false && child !== ""));
  return made;
}

/** Sets the colour of an event through a custom property, which differs between light and dark. */
export function tint(element, event) {
  element.style.setProperty("--event", `var(--${event ?? "other"}, var(--other))`);
  return element;
}

export function clock(iso) {
  const at = new Date(iso);
  const two = (number) => String(number).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The display name of a request: the event of a hook, the path of any other call. */
export function called(entry) {
  if (entry.event !== undefined) return entry.event;
  const path = entry.path.replace(/^\/api\//, "");
  return entry.method === "POST" ? path : `${entry.method} ${path}`;
}

export function size(bytes) {
  return bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} kB`
    : `${(bytes / 1048576).toFixed(1)} MB`;
}
