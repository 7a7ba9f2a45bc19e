const two = (number) => String(number).padStart(2, "0");

/** The local time of day, "14:05:09"; with milliseconds if `precise`. */
export function clock(time, precise = false) {
  const at = new Date(time);
  const text = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return precise ? `${text}.${String(at.getMilliseconds()).padStart(3, "0")}` : text;
}

export function size(bytes) {
  return bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} kB`
    : `${(bytes / 1048576).toFixed(1)} MB`;
}

/** A duration for people: "3.1 ms", "250 ms", "1.4 s", "12 s", "22 min", "3 h", "2 days". */
export function lasted(ms) {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${Number((ms / 1000).toFixed(1))} s`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

/** "1 session", "3 sessions". */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
