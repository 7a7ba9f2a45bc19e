/** The element with this id; the page has every id that is asked for. */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}.`);
  return found;
}

/**
 * Makes an element. Children that are not elements become text nodes, and
 * nothing here ever parses markup: what arrives is shown as it is.
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

/** The colour of an event is a custom property, so that light and dark both have their own. */
export function tint(element, event) {
  element.style.setProperty("--event", `var(--${event ?? "other"}, var(--other))`);
  return element;
}

export function clock(iso) {
  const at = new Date(iso);
  const two = (number) => String(number).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** A hook goes by its name, another call by its path. */
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
