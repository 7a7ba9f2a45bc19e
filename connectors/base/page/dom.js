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

/** A button that runs `act`. */
export function button(label, act, attributes = {}) {
  const made = el("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/**
 * Sets an attribute, or removes it if the value is undefined or false. An attribute that has the value is
 * not touched: even then the browser would compute styles again.
 */
export function setAttribute(element, name, value) {
  const wanted = value === undefined || value === false ? null : value === true ? "" : String(value);
  if (element.getAttribute(name) === wanted) return;
  if (wanted === null) element.removeAttribute(name);
  else element.setAttribute(name, wanted);
}

/** Sets the colour of an event through a custom property, which differs between light and dark. */
export function tint(element, event) {
  element.style.setProperty("--event", `var(--${event ?? "other"}, var(--other))`);
  return element;
}

/**
 * Makes the children of `parent` those of `items`, in their order. Elements are kept by key, so that
 * hover, focus and a click in progress survive a redraw.
 */
export function keepChildren(parent, elements, items, { key, make, update = () => {} }) {
  const wanted = new Map(items.map((item) => [key(item), item]));
  for (const [known, element] of elements) {
    if (wanted.has(known)) continue;
    element.remove();
    elements.delete(known);
  }
  let next = parent.firstChild;
  for (const [name, item] of wanted) {
    const element = elements.get(name) ?? make(item);
    elements.set(name, element);
    update(element, item);
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
  }
}
