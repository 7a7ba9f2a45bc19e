import { assertEquals } from "@std/assert";
import { isPublicAddress } from "./address.ts";

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "172.15.255.255",
  "172.32.0.1",
  "100.63.0.1",
  "198.17.0.1",
  "223.255.255.255",
];
const PUBLIC_V6 = ["2606:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888"];
const PRIVATE = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "203.0.113.9",
  "224.0.0.1",
  "255.255.255.255",
];
const PRIVATE_V6 = [
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "64:ff9b::7f00:1",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd12:3456::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  "2002:7f00:1::",
];
const NO_ADDRESS = ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", "::g", "example.com"];

Deno.test("isPublicAddress() knows which addresses are on the internet", () => {
  for (const address of [...PUBLIC, ...PUBLIC_V6]) assertEquals(isPublicAddress(address), true, address);
  for (const address of [...PRIVATE, ...PRIVATE_V6, ...NO_ADDRESS]) {
    assertEquals(isPublicAddress(address), false, address);
  }
});
