/**
 * What a page of another site can try against the monitor, even if it knows the token: how far each try
 * came. The browser runs this function, so it uses nothing from outside of it.
 *
 * @returns {Promise<string[]>}
 */
export async function attack({ url, token }) {
  const body = JSON.stringify({ to: "codex", text: "owned" });
  const json = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const attempt = async (path, init) => {
    try {
      return (await fetch(url + path, init)).type;
    } catch {
      return "blocked";
    }
  };
  const follow = () =>
    new Promise((resolve) => {
      const events = new EventSource(`${url}/api/events?token=${token}`);
      events.onmessage = () => resolve("read");
      events.onerror = () => {
        events.close();
        resolve("blocked");
      };
    });
  /** A form needs no preflight; with text/plain it can send what looks like JSON. */
  const submit = () =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.name = "out";
      const form = document.createElement("form");
      Object.assign(form, {
        target: "out",
        method: "POST",
        enctype: "text/plain",
        action: `${url}/api/send`,
      });
      const field = document.createElement("input");
      field.name = '{"to":"codex","text":"owned","x":"';
      field.value = '"}';
      form.append(field);
      document.body.append(frame, form);
      frame.addEventListener("load", () => resolve("answered"));
      form.submit();
    });
  return [
    await attempt("/api/info", { headers: json }),
    await attempt("/api/send", { method: "POST", headers: json, body }),
    await attempt("/api/send", { method: "POST", body }),
    await attempt("/api/send", { method: "POST", body, mode: "no-cors" }),
    await follow(),
    await submit(),
  ];
}
