/**
 * Listens to server-sent events. `onMessage` gets the parsed data of each; `onState` gets "live" or
 * "lost", and the browser reconnects by itself. Returns a function that stops listening.
 */
export function follow(url, { onMessage, onState }) {
  const source = new EventSource(url);
  source.onopen = () => onState("live");
  source.onerror = () => onState("lost");
  source.onmessage = (event) => onMessage(JSON.parse(event.data));
  return () => source.close();
}
