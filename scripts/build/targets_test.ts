import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { findTarget, hostTarget, outputName } from "./targets.ts";

Deno.test("findTarget() finds a target by triple or label", () => {
  assertEquals(findTarget("aarch64-unknown-linux-gnu"), findTarget("linux-arm64"));
});

Deno.test("findTarget() lists the known targets for an unknown one", () => {
  const err = assertThrows(() => findTarget("linux-riscv"), Error);
  assertStringIncludes(err.message, '"linux-riscv"');
  assertStringIncludes(err.message, "linux-x64, linux-arm64, darwin-x64, darwin-arm64, windows-x64");
});

Deno.test("outputName() contains the target only if it was named", () => {
  const cases = [
    ["linux-x64", false, "signet-pi"],
    ["linux-arm64", true, "signet-pi-linux-arm64"],
    ["windows-x64", true, "signet-pi-windows-x64.exe"],
    ["windows-x64", false, "signet-pi.exe"],
  ] as const;
  for (const [label, named, expected] of cases) {
    assertEquals(outputName("signet-pi", findTarget(label), named), expected);
  }
});

Deno.test("hostTarget() is the target of this machine", () => {
  assertEquals(hostTarget().triple, Deno.build.target);
});
