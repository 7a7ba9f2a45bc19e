import { assertEquals } from "@std/assert";
import { networkEnv } from "./network.ts";

Deno.test("networkEnv() keeps loopback away from a proxy and lets other hosts use it", () => {
  const proxied = { HTTP_PROXY: "http://proxy:8080", NO_PROXY: "corp.example" };
  const bypass = "corp.example,localhost,127.0.0.0/8,::1,[::1]";
  const cases: [string, Record<string, string>, Record<string, string>][] = [
    ["http://127.0.0.1:3850", {}, {}],
    ["http://127.0.0.1:3850", proxied, { NO_PROXY: `${bypass},127.0.0.1`, no_proxy: `${bypass},127.0.0.1` }],
    ["http://localhost:3850", { all_proxy: "x" }, {
      NO_PROXY: "localhost,127.0.0.0/8,::1,[::1],localhost",
      no_proxy: "localhost,127.0.0.0/8,::1,[::1],localhost",
    }],
    ["http://signet.example", proxied, {}],
    ["https://signet.example", proxied, { DENO_TLS_CA_STORE: "system,mozilla" }],
    ["https://signet.example", { DENO_TLS_CA_STORE: "mozilla" }, {}],
  ];
  for (const [url, env, expected] of cases) assertEquals(networkEnv(url, (name) => env[name]), expected, url);
});

Deno.test("networkEnv() drops certificate files that are named by a relative path", () => {
  const env: Record<string, string> = {
    SSL_CERT_FILE: "ca.pem",
    SSL_CERT_DIR: "./certs",
    DENO_CERT: "../ca.pem",
  };
  const dropped = { SSL_CERT_FILE: undefined, SSL_CERT_DIR: undefined, DENO_CERT: undefined };
  assertEquals(networkEnv("http://127.0.0.1:3850", (name) => env[name]), dropped);
  const absolute: Record<string, string> = { SSL_CERT_FILE: "/etc/ca.pem", DENO_CERT: "C:\\ca.pem" };
  assertEquals(networkEnv("http://127.0.0.1:3850", (name) => absolute[name]), {});
});
