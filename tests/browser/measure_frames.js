/**
 * How long the page works for each frame while the user moves along the lanes, in ms. The browser runs this
 * function, so it uses nothing from outside of it.
 *
 * @returns {Promise<number[]>}
 */
export async function measureFrames(scroller, frames) {
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const times = [];
  for (let frame = 0; frame < frames; frame++) {
    await next();
    const move = frame % 20 < 10 ? -100 : 100;
    scroller.dispatchEvent(
      new WheelEvent("wheel", { deltaY: move, shiftKey: true, bubbles: true, cancelable: true }),
    );
    // The redraw was requested first, so it is over when this frame's callback runs.
    const begun = await next();
    times.push(performance.now() - begun);
  }
  return times;
}
