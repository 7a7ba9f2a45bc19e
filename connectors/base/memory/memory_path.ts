/**
 * The route of one memory. Undefined for the ids `.` and `..`, which a URL drops:
 * the request would go to another route.
 */
export function memoryPath(id: string): string | undefined {
  const trimmed = id.trim();
  return /^\.{0,2}$/.test(trimmed) ? undefined : `/api/memory/${encodeURIComponent(trimmed)}`;
}
