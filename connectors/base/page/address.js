/** The parameters in the page's address. */
export function readAddress() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/**
 * Puts the state of the page into its address, so that a reload keeps it and a link shares it. Empty
 * values are left out. With `step`, the browser's Back button returns to the state before.
 */
export function writeAddress(values, step = false) {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const search = String(new URLSearchParams(kept.map(([name, value]) => [name, String(value)])));
  const next = `${location.pathname}${search === "" ? "" : `?${search}`}`;
  if (next === `${location.pathname}${location.search}`) return;
  if (step) history.pushState({ step: true }, "", next);
  else history.replaceState(history.state, "", next);
}
