/** The name of a session's files: one agent at one daemon. `..` and slashes in a key do no harm. */
export function sessionFile(url: string, agentId: string, key: string): string {
  const readable = key.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 40);
  return `${readable}-${hash(`${url} ${agentId} ${key}`)}.json`;
}

/** FNV-1a. The file has the full key, so a collision loses a note and mixes up nothing. */
function hash(text: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}
