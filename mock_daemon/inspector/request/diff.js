const isBranch = (value) => typeof value === "object" && value !== null;

/** The leaves of a JSON value by their path: { "tags[0]": "db" }. */
function leaves(value, path = "", values = new Map()) {
  const parts = isBranch(value) ? Object.entries(value) : [];
  if (parts.length === 0) values.set(path, value);
  for (const [name, part] of parts) {
    const step = Array.isArray(value) ? `[${name}]` : path === "" ? name : `.${name}`;
    leaves(part, `${path}${step}`, values);
  }
  return values;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** How two JSON values differ, leaf by leaf, and how many leaves are equal. */
export function diff(left, right) {
  const a = left === undefined ? new Map() : leaves(left);
  const b = right === undefined ? new Map() : leaves(right);
  const changes = [];
  let equal = 0;
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    if (a.has(path) && b.has(path) && same(a.get(path), b.get(path))) equal++;
    else {changes.push({
        path,
        left: a.get(path),
        right: b.get(path),
        inLeft: a.has(path),
        inRight: b.has(path),
      });}
  }
  return { changes, equal };
}

/** Longer texts are shown whole, side by side: the table below is their product. */
const MOST_LINES = 600;

/** Two texts as lines that are in both (" "), only in the first ("-") or only in the second ("+"). */
export function lineDiff(left, right) {
  const a = left.split("\n");
  const b = right.split("\n");
  if (a.length > MOST_LINES || b.length > MOST_LINES) {
    return [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
  }
  // longest[i][j]: the length of the longest common subsequence of a[i…] and b[j…].
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i][j] = a[i] === b[j]
        ? longest[i + 1][j + 1] + 1
        : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([" ", a[i++]]);
      j++;
    } else if (j === b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) {
      lines.push(["-", a[i++]]);
    } else lines.push(["+", b[j++]]);
  }
  return lines;
}
