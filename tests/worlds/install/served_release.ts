import { sha256 } from "../../../scripts/build/sha256.ts";
import { run } from "../../../scripts/build/run.ts";
import { zipOne } from "../../../connectors/connect/release/zip.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A release on a loopback server, whose files a test may spoil. */
export interface Served {
  readonly url: string;
  readonly files: Map<string, Bytes>;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  /** Where these paths redirect to. */
  readonly redirects: Map<string, string>;
  /** Answers with the head of this file and then with nothing, for ever. */
  stall?: string;
  /** Promises this file's full length and closes half-way. */
  cut?: string;
  readonly stalled: PromiseWithResolvers<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

// In place of a binary: it prints its arguments.
const PROGRAM = `#!/bin/sh
[ "$1" = --version ] && { echo "signet-pi 9.9.9"; exit 0; }
echo "ran with: $*"
cat
exit 7
`;

/** A release with signet-pi for this machine and one other, in every form. */
export async function serveRelease(
  forms: readonly string[] = ["", ".xz", ".zip"],
  tls?: { readonly cert: string; readonly key: string },
): Promise<Served> {
  const files = new Map<string, Bytes>();
  const program = new TextEncoder().encode(PROGRAM);
  for (const label of ["linux-x64", "linux-arm64"]) {
    const name = `signet-pi-${label}`;
    if (forms.includes("")) files.set(name, program);
    if (forms.includes(".zip")) files.set(`${name}.zip`, await zipOne(name, program));
    if (forms.includes(".xz")) files.set(`${name}.xz`, await xz(program));
  }
  files.set("SHA256SUMS", await sums(files, program));
  const asked: string[] = [];
  const redirects = new Map<string, string>();
  const where = { hostname: "127.0.0.1", port: 0, onListen: () => {}, ...tls };
  const server = Deno.serve(where, (request) => {
    const name = new URL(request.url).pathname.replace(/^\/(v9\.9\.9\/)?/, "");
    asked.push(name);
    const location = redirects.get(name);
    if (location !== undefined) return new Response(null, { status: 302, headers: { location } });
    const body = files.get(name);
    if (!body) return new Response("no such file", { status: 404 });
    if (name === served.stall) return new Response(endless(body, served.stalled));
    if (name === served.cut) {
      return new Response(half(body), { headers: { "content-length": String(body.byteLength) } });
    }
    return new Response(body);
  });
  const served: Served = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${server.addr.port}`,
    files,
    redirects,
    asked,
    stalled: Promise.withResolvers<void>(),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return served;
}

/** SHA256SUMS as a release has it: every file, and the binary itself. */
async function sums(files: Map<string, Bytes>, program: Bytes): Promise<Bytes> {
  const lines: string[] = [];
  const all = new Map([["signet-pi-linux-x64", program], ["signet-pi-linux-arm64", program], ...files]);
  for (const [name, data] of all) lines.push(`${await sha256(data)}  ${name}\n`);
  return new TextEncoder().encode(lines.join(""));
}

async function xz(data: Bytes): Promise<Bytes> {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, data);
  const ended = await run("xz", ["-k", path], { timeoutMs: 10_000 });
  if (ended.code !== 0) throw new Error(`xz: ${ended.stderr}`);
  return await Deno.readFile(`${path}.xz`);
}

function endless(body: Bytes, stalled: PromiseWithResolvers<void>): ReadableStream<Bytes> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(body.slice(0, 20)),
    pull: () => {
      stalled.resolve();
      return new Promise(() => {});
    },
  });
}

function half(body: Bytes): ReadableStream<Bytes> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body.slice(0, Math.floor(body.byteLength / 2)));
      controller.close();
    },
  });
}
