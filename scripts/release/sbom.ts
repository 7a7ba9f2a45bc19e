import { DENO_VERSION } from "../build/targets.ts";
import type { Locked, Need } from "./lock.ts";

export interface SbomInput {
  readonly version: string;
  /** The commit date of the sources, so that the SBOM is reproducible. */
  readonly created: Date;
  /** Makes the document namespace unique. */
  readonly lockSha256: string;
  readonly packages: readonly Locked[];
  readonly direct: readonly Need[];
}

// Used only by tests, not part of any binary.
const TESTS_ONLY = ["fast-check", "playwright-core"];
const ROOT = "SPDXRef-signet-connectors";
const RUNTIME = "SPDXRef-denort";
const UNKNOWN = "NOASSERTION";

/** The contents of the release as SPDX 2.3. deno.lock has no licences, so none is asserted. */
export function sbom(input: SbomInput): object {
  const id = (need: Need) => {
    const found = input.packages.find((p) => p.name === need.name && p.version === need.version) ??
      input.packages.find((p) => p.name === need.name);
    return found && idOf(found);
  };
  const direct = input.direct.flatMap((need) => {
    const other = id(need);
    if (!other) return [];
    return TESTS_ONLY.includes(need.name)
      ? [relation(other, "TEST_DEPENDENCY_OF", ROOT)]
      : [relation(ROOT, "DEPENDS_ON", other)];
  });
  const needs = input.packages.flatMap((p) =>
    p.needs.flatMap((need) => {
      const other = id(need);
      return other ? [relation(idOf(p), "DEPENDS_ON", other)] : [];
    })
  );
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: `signet-connectors-${input.version}`,
    documentNamespace: `https://spdx.org/spdxdocs/signet-connectors-${input.version}-${input.lockSha256}`,
    creationInfo: {
      created: input.created.toISOString().replace(/\.\d+Z$/, "Z"),
      creators: ["Tool: signet-connectors-release"],
    },
    packages: [
      localPackage(ROOT, "signet-connectors", input.version, "Apache-2.0"),
      localPackage(RUNTIME, "denort", DENO_VERSION, "MIT"),
      ...input.packages.map((p) => fromNpm(p)),
    ],
    relationships: [
      relation("SPDXRef-DOCUMENT", "DESCRIBES", ROOT),
      relation(ROOT, "CONTAINS", RUNTIME),
      ...direct,
      ...needs,
    ],
  };
}

function idOf(p: Locked): string {
  return `SPDXRef-npm-${p.name}-${p.version}`.replace(/[^A-Za-z0-9.-]+/g, "-");
}

function relation(from: string, relationshipType: string, to: string) {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to };
}

function localPackage(SPDXID: string, name: string, versionInfo: string, license: string) {
  return {
    SPDXID,
    name,
    versionInfo,
    downloadLocation: UNKNOWN,
    filesAnalyzed: false,
    licenseConcluded: license,
    licenseDeclared: license,
    copyrightText: UNKNOWN,
  };
}

function fromNpm(p: Locked) {
  const purl = `pkg:npm/${p.name.replace(/^@/, "%40")}@${p.version}`;
  const hash = p.integrity?.match(/^sha512-(.+)$/)?.[1];
  return {
    ...localPackage(idOf(p), p.name, p.version, UNKNOWN),
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
    ...(hash && { checksums: [{ algorithm: "SHA512", checksumValue: Uint8Array.fromBase64(hash).toHex() }] }),
  };
}
