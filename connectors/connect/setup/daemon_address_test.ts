import { assertEquals, assertMatch } from "@std/assert";
import { addressProblem, daemonUrls } from "./daemon_address.ts";

Deno.test("daemonUrls() tries https for a bare host name and http only on this machine", () => {
  const cases: [string, string[]][] = [
    ["https://signet-home.tailnet:3850", ["https://signet-home.tailnet:3850"]],
    ["signet-home", ["https://signet-home:3850", "https://signet-home"]],
    [" signet-home.tailnet:444 ", ["https://signet-home.tailnet:444"]],
    ["localhost", ["http://localhost:3850"]],
    ["127.0.0.1:4000", ["http://127.0.0.1:4000"]],
  ];
  for (const [address, urls] of cases) assertEquals(daemonUrls(address), urls, address);
});

Deno.test("addressProblem() refuses plain http to another machine, and what is no address", () => {
  assertEquals(addressProblem("signet-home", false), undefined);
  assertEquals(addressProblem("http://127.0.0.1:3850", false), undefined);
  assertEquals(addressProblem("http://10.0.0.9:3850", true), undefined);
  assertMatch(addressProblem("http://10.0.0.9:3850", false) ?? "", /plain http to another machine/);
  for (const address of ["ftp://nowhere", "two words", "https://u:p@host", "https://host/path"]) {
    assertMatch(addressProblem(address, false) ?? "", /^The daemon URL /, address);
  }
});
