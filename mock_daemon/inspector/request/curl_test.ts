import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { anyText } from "../../../connectors/base/testing/any_text.ts";
import { SEED, SEEDED } from "../../../connectors/base/testing/seed.ts";
import { incomplete, quote, toCurl } from "./curl.js";

const REQUEST = {
  method: "POST",
  path: "/api/hooks/session-start",
  query: {},
  headers: { "content-type": "application/json", host: "127.0.0.1:1", "content-length": "9", accept: "*/*" },
  body: { harness: "pi" },
};

/** The arguments that a shell would pass to curl. */
async function words(text: string): Promise<string[]> {
  const { stdout, success } = await new Deno.Command("sh", {
    args: ["-c", `curl() { printf '%s\\0' "$@"; }\n${text}`],
    env: { SIGNET_API_KEY: "the-key" },
    clearEnv: true,
  }).output();
  assert(success);
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

Deno.test("toCurl() is a command of the method, the URL, the headers that matter and the body", async () => {
  assertEquals(await words(toCurl(REQUEST, "http://127.0.0.1:3850")), [
    "-sS",
    "-X",
    "POST",
    "http://127.0.0.1:3850/api/hooks/session-start",
    "-H",
    "content-type: application/json",
    "-H",
    "accept: */*",
    "--data-raw",
    '{"harness":"pi"}',
  ]);
});

Deno.test("toCurl() reads a key from the environment, and has no key or cookie in it", async () => {
  const headers = {
    authorization: "Bearer sig_sk_0a1b_[redacted]",
    cookie: "[redacted]",
    "x-api-key": "[redacted]",
  };
  const command = toCurl({ ...REQUEST, headers }, "http://127.0.0.1:1");
  assert(command.includes("$SIGNET_API_KEY"));
  assert(!command.includes("sig_sk_") && !command.includes("redacted"), command);
  assert((await words(command)).includes("authorization: Bearer the-key"));
});

Deno.test("toCurl() expands nothing of a payload, whatever is in it", async () => {
  const nasty = `'; touch /x; echo "$(id)" \`id\` $HOME \\ ! \n'\\''`;
  const command = toCurl({
    ...REQUEST,
    query: { q: nasty },
    headers: { "x-note": nasty.replaceAll("\n", "") },
    body: { text: nasty },
  }, "http://127.0.0.1:1");
  const sent = await words(command);
  assertEquals(JSON.parse(sent.at(-1) ?? ""), { text: nasty });
  assert(sent.includes(`x-note: ${nasty.replaceAll("\n", "")}`));
  assertEquals(new URL(sent[3] ?? "").searchParams.get("q"), nasty);
});

Deno.test(`quote() makes one word of any text ${SEEDED}`, async () => {
  const texts = fc.sample(anyText.map((text) => text.replaceAll("\0", "").toWellFormed()), {
    numRuns: 200,
    seed: SEED,
  });
  assertEquals(await words(`curl ${texts.map(quote).join(" ")}`), texts);
});

Deno.test("incomplete() tells a redacted or truncated record from a whole one", () => {
  assertEquals(incomplete(REQUEST), undefined);
  assert(incomplete({ ...REQUEST, truncated: true })?.includes("too long"));
  assert(incomplete({ ...REQUEST, body: { apiKey: "[redacted]" } })?.includes("redacted"));
  assert(incomplete({ ...REQUEST, query: { token: "[redacted]" } })?.includes("redacted"));
  assert(incomplete({ ...REQUEST, path: "/api/sig_sk_0a_[redacted]" })?.includes("redacted"));
});
