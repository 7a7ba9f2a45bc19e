/** How a server answered: its status, or why there is none. */
export type Posted =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "failed"; readonly why: string };

export interface PostOptions {
  readonly url: URL;
  /** The checked address of the URL's host. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** PEM certificates to trust besides those of the system. */
  readonly caCerts?: string[];
}

/** Longer than any status line. */
const MAX_LINE = 1024;

/**
 * Posts to an address that was checked. `fetch` would look the name up again, and
 * could get another address the second time; it would also follow redirects.
 */
export async function post(options: PostOptions): Promise<Posted> {
  const { url, address, timeoutMs } = options;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const stop = AbortSignal.timeout(timeoutMs);
  let conn: Deno.Conn | undefined;
  const close = () => quietly(() => conn?.close());
  stop.addEventListener("abort", close, { once: true });
  try {
    const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
    const tcp = await Deno.connect({ hostname: address, port, signal: stop });
    conn = tcp;
    if (url.protocol === "https:") {
      const tls = await Deno.startTls(tcp, { hostname, caCerts: options.caCerts });
      conn = tls;
      await tls.handshake();
    }
    await writeAll(conn, request(options));
    const line = await statusLine(conn);
    const [, status] = /^HTTP\/1\.[01] (\d{3})\b/.exec(line) ?? [];
    return status === undefined
      ? { kind: "failed", why: "the answer is not HTTP" }
      : { kind: "status", status: Number(status) };
  } catch (error) {
    if (stop.aborted) return { kind: "failed", why: `no answer within ${timeoutMs / 1000} s` };
    return { kind: "failed", why: error instanceof Error ? error.message : String(error) };
  } finally {
    stop.removeEventListener("abort", close);
    close();
  }
}

function request({ url, headers, body }: PostOptions): Uint8Array {
  const bytes = new TextEncoder().encode(body);
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    "Connection: close",
    `Content-Length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
}

async function writeAll(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await conn.write(bytes.subarray(sent));
}

async function statusLine(conn: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(MAX_LINE);
  let text = "";
  while (!text.includes("\r\n") && text.length < MAX_LINE) {
    const count = await conn.read(buffer);
    if (count === null) break;
    text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }
  return text;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is closed already.
  }
}
