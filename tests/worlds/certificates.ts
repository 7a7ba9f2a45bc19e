import { assert } from "@std/assert";

/** Where the certificates of a private CA and of a server on this machine are. */
export interface Certificates extends AsyncDisposable {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A CA, and a certificate for localhost signed by it. Needs openssl. */
export async function makeCertificates(): Promise<Certificates> {
  const dir = await Deno.makeTempDir({ prefix: "signet-" });
  const script = `set -e; cd ${dir}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=Private CA" -keyout ca.key -out ca.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=localhost" -keyout server.key -out server.csr
printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\\nbasicConstraints=CA:FALSE\\n' > ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out server.pem`;
  const { success, stderr } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  assert(success, new TextDecoder().decode(stderr));
  return {
    ca: `${dir}/ca.pem`,
    cert: await Deno.readTextFile(`${dir}/server.pem`),
    key: await Deno.readTextFile(`${dir}/server.key`),
    [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }),
  };
}
