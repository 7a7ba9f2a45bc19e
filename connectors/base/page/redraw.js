const listeners = new Set();

/** Calls `listener` at each redraw, in the order of these calls. */
export function onChange(listener) {
  listeners.add(listener);
}

let scheduled = false;

/** Schedules a redraw, at most one per frame. */
export function changed() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    for (const listener of listeners) listener();
  });
}
