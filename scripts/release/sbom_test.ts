import { assert, assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { readLock } from "./lock.ts";
import { sbom } from "./sbom.ts";

const LOCK = fromFileUrl(new URL("../../deno.lock", import.meta.url));

interface Bill {
  packages: { SPDXID: string; name: string; checksums?: { checksumValue: string }[] }[];
  relationships: { spdxElementId: string; relationshipType: string; relatedSpdxElement: string }[];
}

function isBill(value: object): value is Bill {
  return "packages" in value && "relationships" in value;
}

function bill(): Bill {
  const parts = readLock(Deno.readTextFileSync(LOCK));
  const value = sbom({
    version: "1.2.3",
    created: new Date("2026-01-02T03:04:05Z"),
    lockSha256: "ab",
    ...parts,
  });
  assert(isBill(value));
  return value;
}

Deno.test("sbom() lists every locked package with its checksum, the runtime and the product", () => {
  const { packages } = bill();
  const locked = readLock(Deno.readTextFileSync(LOCK)).packages;
  assertEquals(packages.length, locked.length + 2);
  assertEquals(new Set(packages.map((p) => p.SPDXID)).size, packages.length);
  for (const p of packages) assertMatch(p.SPDXID, /^SPDXRef-[A-Za-z0-9.-]+$/);
  const yaml = packages.find((p) => p.name === "yaml");
  assertMatch(yaml?.checksums?.[0]?.checksumValue ?? "", /^[0-9a-f]{128}$/);
});

Deno.test("sbom() relates only listed packages, and marks test dependencies", () => {
  const { packages, relationships } = bill();
  const known = new Set(["SPDXRef-DOCUMENT", ...packages.map((p) => p.SPDXID)]);
  for (const r of relationships) assert(known.has(r.spdxElementId) && known.has(r.relatedSpdxElement));
  const tests = relationships.filter((r) => r.relationshipType === "TEST_DEPENDENCY_OF").map((r) =>
    r.spdxElementId
  );
  assertEquals(tests.length, 2);
});

Deno.test("sbom() has the header that SPDX 2.3 requires", () => {
  assertObjectMatch(bill(), {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    documentNamespace: "https://spdx.org/spdxdocs/signet-connectors-1.2.3-ab",
    creationInfo: { created: "2026-01-02T03:04:05Z" },
  });
});
