import { el } from "../dom.js";

/**
 * A canvas over the tracks of lanes, as large as the part of them that is in sight. `paint` gets a context
 * whose unit is a CSS pixel, and a view:
 *
 *   { span, width, height, lanes, places }   places: the lane's key -> { y, height } of its track
 */
export function createLaneCanvas(scroller, grid, paint) {
  const element = el("canvas", { class: "lane-canvas", "aria-hidden": "true" });
  const context = element.getContext("2d");

  /** Every lane has a place: what connects lanes may end at one that is out of sight. */
  function placesOf(lanes) {
    const rows = [...scroller.querySelectorAll(".lane")];
    const { scrollTop } = scroller;
    return new Map(lanes.map(({ key }, index) => {
      const track = rows[index]?.lastElementChild;
      const height = track?.offsetHeight ?? 0;
      return [key, { y: (track?.offsetTop ?? 0) + height / 2 - scrollTop, height }];
    }));
  }

  function draw({ span, lanes }) {
    const [width, height, ratio] = [grid.clientWidth, scroller.clientHeight, devicePixelRatio];
    if (width === 0 || height === 0) return;
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== across || element.height !== down) {
      element.width = across;
      element.height = down;
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    paint(context, { span, width, height, lanes, places: placesOf(lanes) });
  }

  /** Where a pointer is on the canvas. */
  function place({ clientX, clientY }) {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  return { element, draw, place };
}
