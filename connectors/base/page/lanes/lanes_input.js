/** Arrow keys move between marks and names; with Shift they move the axis; + and - zoom. */
export function listenKeys(rows, { onMark, onPan, onZoom }) {
  const across = (row, from) => {
    if (!row) return undefined;
    if (from.matches(".lane-name")) return row.querySelector(".lane-name");
    const distance = (mark) => Math.abs(mark.getBoundingClientRect().x - from.getBoundingClientRect().x);
    const marks = [...row.querySelectorAll(".mark")].sort((a, b) => distance(a) - distance(b));
    return marks[0] ?? row.querySelector(".lane-name");
  };
  rows.addEventListener("keydown", (event) => {
    const from = event.target;
    if (!(from instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = from.closest(".lane");
    if (row === null) return;
    const act = { "+": () => onZoom(0.5), "=": () => onZoom(0.5), "-": () => onZoom(2) }[event.key] ??
      (event.shiftKey && { ArrowLeft: () => onPan(-0.25), ArrowRight: () => onPan(0.25) }[event.key]);
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      return act();
    }
    const stops = [...row.querySelectorAll(".lane-name, .mark")];
    const target = {
      ArrowLeft: () => stops[stops.indexOf(from) - 1],
      ArrowRight: () => stops[stops.indexOf(from) + 1],
      ArrowUp: () => across(row.previousElementSibling, from),
      ArrowDown: () => across(row.nextElementSibling, from),
    }[event.key]?.();
    if (!(target instanceof HTMLElement)) return;
    event.preventDefault();
    target.focus();
    if (target.matches(".mark")) onMark(target);
  });
}

/** Dragging over the tracks zooms to that part; the wheel zooms with Ctrl and moves with Shift. */
export function listenPointer({ rows, scroller, grid, brush, timeAt, onSpan, onPan, onZoom, onPoint }) {
  let start;
  const edges = (x) => [Math.min(start, x), Math.max(start, x)];
  rows.addEventListener("pointerdown", (event) => {
    const track = event.target instanceof Element && event.target.matches(".track, .line");
    if (!track || event.pointerType === "touch" || event.button !== 0) return;
    start = event.clientX;
    rows.setPointerCapture(event.pointerId);
  });
  rows.addEventListener("pointermove", (event) => {
    if (start === undefined) return;
    const [left, right] = edges(event.clientX);
    brush.hidden = right - left < 4;
    brush.style.left = `${left - grid.parentElement.getBoundingClientRect().left}px`;
    brush.style.width = `${right - left}px`;
  });
  const stop = (event) => {
    if (start === undefined) return;
    const [left, right] = edges(event.clientX);
    start = undefined;
    brush.hidden = true;
    if (event.type !== "pointerup") return;
    if (right - left >= 4) onSpan({ from: timeAt(left), to: timeAt(right) });
    else onPoint(event);
  };
  rows.addEventListener("pointerup", stop);
  rows.addEventListener("pointercancel", stop);
  scroller.addEventListener("wheel", (event) => {
    const sideways = event.deltaX || (event.shiftKey ? event.deltaY : 0);
    if (!event.ctrlKey && sideways === 0) return;
    event.preventDefault();
    if (event.ctrlKey) onZoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.clientX));
    else onPan(sideways > 0 ? 0.1 : -0.1);
  }, { passive: false });
}
