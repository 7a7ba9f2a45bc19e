/** Switches between light and dark, starting from what the system prefers. */
export function toggleTheme() {
  const { style } = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = style.colorScheme || (dark ? "dark" : "light");
  style.colorScheme = now === "dark" ? "light" : "dark";
}
