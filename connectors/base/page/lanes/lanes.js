import { el, keepChildren, setAttribute, tint } from "../dom.js";
import { createLaneCanvas } from "./lane_canvas.js";
import { listenKeys, listenPointer } from "./lanes_input.js";
import { ticks } from "./time_axis.js";
import { share } from "./time_span.js";

const percent = (place) => `${(place * 100).toFixed(3)}%`;

/**
 * Lanes over time, drawn into `box`. Each lane has a name, which can be chosen, and marks at their true
 * times, each with a bar as long as it lasted.
 *
 *   lane: { key, kind, status, names, title, from, to, open, chosen, marks }
 *   mark: { id, from, to, event, label, trouble, hollow, current }
 *
 * For more marks than there can be elements, and for what connects lanes, `paint` draws on a canvas over
 * them; `onPoint` and `onHover` then get the place of the pointer on it.
 */
export function createLanes(box, options) {
  const { noun, onMark, onLane, onSpan, onPan, onZoom, paint, onPoint, onHover } = options;
  const axis = el("div", { class: "axis", "aria-hidden": "true" });
  const grid = el("div", { class: "gridlines", "aria-hidden": "true" });
  const brush = el("div", { class: "brush", hidden: true });
  const rows = el("div", { class: "lane-rows" });
  const scroller = el(
    "div",
    { class: "lane-scroller", role: "group", "aria-label": box.dataset.label },
    rows,
  );
  const more = el("button", { type: "button", class: "lanes-more", hidden: true });
  box.classList.add("lane-view");
  const canvas = paint && createLaneCanvas(scroller, grid, paint);
  box.replaceChildren(
    axis,
    el("div", { class: "lanes-body" }, grid, scroller, canvas?.element, brush),
    more,
  );
  const lanes = new Map();
  let drawn = { span: { from: 0, to: 1 }, lanes: [] };

  function makeLane(lane) {
    const name = el("button", { type: "button", class: "lane-name", tabindex: "-1" });
    const track = el("div", { class: "track" }, paint === undefined && el("span", { class: "line" }));
    const row = el("div", { class: "lane", "data-lane": lane.key }, name, track);
    row.marks = new Map();
    return row;
  }

  function makeMark(mark) {
    return tint(
      el("button", { type: "button", class: "mark", tabindex: "-1", "data-mark": mark.id }),
      mark.event,
    );
  }

  function updateLane(row, lane) {
    const [name, track] = row.children;
    if (name.textContent !== lane.names.join("")) {
      name.replaceChildren(...lane.names.map((part, index) => el(index === 0 ? "b" : "span", {}, part)));
    }
    setAttribute(name, "title", lane.title);
    setAttribute(name, "aria-pressed", String(lane.chosen));
    setAttribute(row, "data-chosen", lane.chosen);
    setAttribute(row, "data-kind", lane.kind);
    setAttribute(row, "data-status", lane.status);
    if (paint === undefined) updateTrack(row, track, lane);
  }

  function updateTrack(row, track, lane) {
    const line = track.firstChild;
    const start = Math.max(0, share(lane.from, drawn.span));
    const end = Math.min(1, lane.open ? 1 : share(lane.to, drawn.span));
    line.className = lane.open ? "line open" : "line";
    line.style.left = percent(start);
    line.style.width = percent(Math.max(0, end - start));
    const { from, to } = drawn.span;
    const inside = lane.marks.filter((mark) => mark.to >= from && mark.from <= to);
    setAttribute(track, "data-before", lane.marks.filter((mark) => mark.to < from).length || undefined);
    setAttribute(track, "data-after", lane.marks.filter((mark) => mark.from > to).length || undefined);
    keepChildren(track, row.marks, inside, { key: ({ id }) => id, make: makeMark, update: updateMark });
    // Marks are in order of time; the line comes first, behind them.
    track.prepend(line);
  }

  function updateMark(element, mark) {
    const start = share(mark.from, drawn.span);
    element.style.left = percent(start);
    element.style.width = percent(Math.min(1, share(mark.to, drawn.span)) - start);
    element.title = mark.label;
    element.setAttribute("aria-label", mark.label);
    setAttribute(element, "aria-current", mark.current && "true");
    setAttribute(element, "data-trouble", mark.trouble);
    setAttribute(element, "data-hollow", mark.hollow);
  }

  function drawAxis() {
    const width = grid.clientWidth || 800;
    const places = ticks(drawn.span, Math.max(2, width / 110)).map((tick) => ({
      ...tick,
      left: percent(share(tick.time, drawn.span)),
    }));
    const place = (element, left) => {
      element.style.left = left;
      return element;
    };
    axis.replaceChildren(...places.map(({ label, left }) => place(el("span", {}, label), left)));
    grid.replaceChildren(...places.map(({ left }) => place(el("span"), left)));
  }

  /** Says how many lanes are out of sight; a list that is cut off at a row looks complete. */
  function drawMore() {
    const bottom = scroller.scrollTop + scroller.clientHeight;
    const below = [...rows.children].filter((row) => row.offsetTop + row.offsetHeight / 2 > bottom).length;
    const expanded = box.hasAttribute("data-expanded");
    setAttribute(scroller, "data-above", scroller.scrollTop > 2);
    setAttribute(scroller, "data-below", scroller.scrollHeight - bottom > 2);
    more.hidden = !expanded && below === 0;
    more.setAttribute("aria-expanded", String(expanded));
    more.textContent = expanded ? "▴ Show fewer" : `▾ ${below} more ${noun}${below === 1 ? "" : "s"}`;
    // The axis lines up with the tracks, beside a scroll bar of any width.
    const gutter = `${scroller.offsetWidth - scroller.clientWidth}px`;
    // Setting it computes the styles of all lanes again.
    if (box.style.getPropertyValue("--gutter") !== gutter) box.style.setProperty("--gutter", gutter);
  }

  function draw(model) {
    drawn = model;
    setAttribute(box, "data-empty", model.lanes.length === 0);
    keepChildren(rows, lanes, model.lanes, { key: ({ key }) => key, make: makeLane, update: updateLane });
    drawMore();
    drawAxis();
    const entry = rows.querySelector("[aria-current]") ?? rows.querySelector(".lane-name");
    for (const stop of rows.querySelectorAll('[tabindex="0"]')) if (stop !== entry) stop.tabIndex = -1;
    if (entry !== null && entry.tabIndex !== 0) entry.tabIndex = 0;
    canvas?.draw(drawn);
  }

  const timeAt = (x) => {
    const { left, width } = grid.getBoundingClientRect();
    return drawn.span.from + ((x - left) / width) * (drawn.span.to - drawn.span.from);
  };
  const markId = (element) => element.getAttribute("data-mark");

  more.addEventListener("click", () => {
    box.toggleAttribute("data-expanded");
    drawMore();
  });
  scroller.addEventListener("scroll", () => {
    drawMore();
    canvas?.draw(drawn);
  });
  new ResizeObserver(() => {
    drawMore();
    drawAxis();
    canvas?.draw(drawn);
  }).observe(box);

  rows.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const lane = target?.closest(".lane-name")?.parentElement?.getAttribute("data-lane");
    if (lane) return onLane(lane);
    const mark = target?.closest(".mark");
    if (!mark) return canvas && target?.matches(".track") && onPoint(canvas.place(event));
    // Marks at the same moment lie on top of each other: each further click chooses the next one.
    const stack = event.detail === 0
      ? [mark]
      : document.elementsFromPoint(event.clientX, event.clientY).filter((each) => each.matches(".mark"));
    // Not in the order on the screen, which changes: the chosen mark comes to the front.
    const order = [...mark.parentElement.children].reverse();
    stack.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    const current = stack.findIndex((each) => each.hasAttribute("aria-current"));
    onMark(markId(stack[(current + 1) % stack.length] ?? mark));
  });

  listenKeys(rows, { onMark: (mark) => onMark(markId(mark)), onPan, onZoom });
  listenPointer({
    rows,
    scroller,
    grid,
    brush,
    timeAt,
    onSpan,
    onPan,
    onZoom,
    onPoint: (event) => canvas && onPoint(canvas.place(event)),
  });
  if (canvas) {
    scroller.addEventListener("pointermove", (event) => onHover(canvas.place(event), event));
    scroller.addEventListener("pointerleave", () => onHover(undefined));
  }
  return { draw };
}
