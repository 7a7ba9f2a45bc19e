const STEPS = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Makes a list of options, whose ids are `prefix` and a name, work with keyboard and pointer. `onSelect`
 * gets the name of an option; `onOpen` is called for Enter. The list keeps the focus.
 */
export function createListbox(list, { prefix, selected, onSelect, onClick, onOpen, onFocus = () => {} }) {
  /** The option that was selected last, where the arrow keys go on after the details were closed. */
  let last;
  const nameOf = (option) => option.id.slice(prefix.length);

  /** Moves the selection by a number of options and scrolls it into view. */
  function step(by) {
    const options = [...list.children];
    if (options.length === 0) return;
    const at = options.findIndex((each) => nameOf(each) === (selected() ?? last));
    const next = options[at === -1 ? 0 : Math.min(options.length - 1, Math.max(0, at + by))];
    last = nameOf(next);
    onSelect(last);
    next.scrollIntoView({ block: "nearest" });
  }

  list.addEventListener("click", (event) => {
    const option = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    if (option === null) return;
    last = nameOf(option);
    onClick(last, event);
  });

  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && selected() !== undefined) {
      onOpen();
      return event.preventDefault();
    }
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });

  list.addEventListener("focus", () => onFocus(step));
}

/** Tells screen readers which option of a list is the selected one. */
export function setActive(list, option) {
  if (option === undefined) list.removeAttribute("aria-activedescendant");
  else list.setAttribute("aria-activedescendant", option.id);
}
