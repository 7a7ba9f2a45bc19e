/**
 * The places on a canvas where the colour of a custom property is, in pixels of the page. The browser runs
 * this function, so it uses nothing from outside of it.
 *
 * @returns {{ x: number, y: number }[]}
 */
export function paintedPlaces(canvas, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const wanted = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number);
  probe.remove();
  const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const box = canvas.getBoundingClientRect();
  const places = [];
  for (let at = 0; at < data.length; at += 4) {
    const isWanted = data[at + 3] === 255 &&
      wanted.every((value, index) => Math.abs(value - data[at + index]) <= 2);
    if (!isWanted) continue;
    const pixel = at / 4;
    places.push({
      x: box.left + (pixel % width) / devicePixelRatio,
      y: box.top + Math.floor(pixel / width) / devicePixelRatio,
    });
  }
  return places;
}
