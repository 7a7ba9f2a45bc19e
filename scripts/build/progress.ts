/** A progress line: `denort linux-x64  [#####-----]  52%  20.0 of 38.4 MB`. */
export function progressLine(label: string, done: number, total: number, columns = 80): string {
  const share = Math.min(1, total > 0 ? done / total : 0);
  const numbers = `${String(Math.floor(share * 100)).padStart(3)}%  ${megabytes(done)} of ${
    megabytes(total)
  } MB`;
  const width = Math.min(30, columns - label.length - numbers.length - 8);
  if (width < 4) return `${label} ${numbers}`.slice(0, columns - 1);
  const filled = Math.round(share * width);
  return `${label}  [${"#".repeat(filled)}${"-".repeat(width - filled)}]  ${numbers}`;
}

/** A size in megabytes: `38.4`. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Redraws a progress line on stderr while `work` runs; prints one plain line if stderr is not a terminal. */
export async function withProgress<T>(
  label: string,
  total: number,
  measure: () => Promise<number>,
  work: () => Promise<T>,
): Promise<T> {
  const out = new TextEncoder();
  if (!Deno.stderr.isTerminal()) {
    Deno.stderr.writeSync(out.encode(`Fetching ${label}, ${megabytes(total)} MB …\n`));
    return await work();
  }
  const draw = (done: number) => {
    const columns = Deno.consoleSize().columns || 80;
    Deno.stderr.writeSync(out.encode(`\r${progressLine(label, done, total, columns)}\x1b[K`));
  };
  draw(0);
  const timer = setInterval(() => measure().then(draw, () => {}), 150);
  try {
    const result = await work();
    draw(total);
    return result;
  } finally {
    clearInterval(timer);
    Deno.stderr.writeSync(out.encode("\n"));
  }
}
