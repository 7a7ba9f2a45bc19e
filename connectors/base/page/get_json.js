/** The JSON at a URL of the page's server; undefined if the server cannot be reached or has no such thing. */
export async function getJson(url) {
  try {
    const response = await fetch(url);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
