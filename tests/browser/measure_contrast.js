/**
 * What is too faint on the page, as lines for a person. The browser runs this function, so it uses nothing
 * from outside of it.
 *
 * @returns {string[]}
 */
export function measureContrast() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (canvas === null) throw new Error("There is no canvas to read colours with.");

  const known = new Map();
  /** Any CSS colour as red, green, blue and alpha. */
  const parse = (css) => {
    const before = known.get(css);
    if (before !== undefined) return before;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    const colour = [red, green, blue, alpha / 255];
    known.set(css, colour);
    return colour;
  };
  const over = (top, below) => {
    const mix = (index) => top[index] * top[3] + below[index] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const luminance = ([red, green, blue]) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a) + 0.05, luminance(b) + 0.05];
    return Math.max(x, y) / Math.min(x, y);
  };
  /** What is behind the content of an element. */
  const background = (element) => {
    if (element === null) return parse("Canvas");
    const colour = parse(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, background(element.parentElement));
  };
  const opacity = (element) =>
    element === null ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement);

  const faint = new Set();
  const check = (what, element, front, behind, least) => {
    const below = background(behind);
    const colour = parse(front);
    const shown = over([colour[0], colour[1], colour[2], colour[3] * opacity(element)], below);
    const ratio = contrast(shown, below);
    if (ratio < least) {
      const name = element.id ? `#${element.id}` : `${element.tagName.toLowerCase()}.${element.className}`;
      faint.add(`${what} of ${name}: ${ratio.toFixed(2)} is below ${least}`);
    }
  };
  const textLeast = (style) => {
    const size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  };
  const visible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const clipped = style.clipPath === "inset(50%)" || element.closest(".hidden, .skip") !== null;
    return width > 0 && height > 0 && style.visibility === "visible" && !clipped;
  };
  const open = document.querySelector("dialog[open]");
  for (const element of document.querySelectorAll("body *")) {
    if (!visible(element) || (open !== null && !open.contains(element))) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) =>
      node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? "").trim() !== ""
    );
    if (hasText) check("text", element, style.color, element, textLeast(style));
    for (const pseudo of ["::before", "::after"]) {
      const part = getComputedStyle(element, pseudo);
      // Without text, a pseudo-element has the content `""` or none.
      if (part.content === "none" || part.content === "normal" || part.content === '""') continue;
      const behind = parse(part.backgroundColor)[3] === 0 ? element : null;
      if (behind !== null) check(`text ${pseudo}`, element, part.color, behind, 4.5);
    }
    if (element instanceof HTMLInputElement) {
      check("text", element, style.color, element, 4.5);
      check("placeholder", element, getComputedStyle(element, "::placeholder").color, element, 4.5);
    }
    if (element.matches("input, select, textarea")) {
      check("border", element, style.borderTopColor, element.parentElement, 3);
    }
    if (element.matches(".mark")) {
      const dot = getComputedStyle(element, "::before");
      const hollow = element.hasAttribute("data-hollow") || element.hasAttribute("data-trouble");
      check("mark", element, hollow ? dot.borderTopColor : dot.backgroundColor, element.parentElement, 3);
    }
    if (element.matches(".legend li, .lane-name b")) {
      const shape = getComputedStyle(element, "::before");
      // A shape that is not filled has a border or an outline.
      const edge = parseFloat(shape.borderLeftWidth) > 0
        ? shape.borderLeftColor
        : shape.outlineStyle === "solid"
        ? shape.outlineColor
        : shape.backgroundColor;
      if (shape.content === '""') check("shape", element, edge, element, 3);
    }
    if (element.matches(".row .event")) {
      check("dot", element, getComputedStyle(element, "::before").backgroundColor, element, 3);
    }
  }
  return [...faint].sort();
}
