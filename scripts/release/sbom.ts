import { DENO_VERSION } from "../build/targets.ts";
import type { Locked, Need } from "./lock.ts";

export interface SbomInput {
  readonly version: string;
  /** When the sources were committed: a build of the same sources says the same. */
  readonly created: Date;
  /** Makes the document's name unique. */
  readonly lockSha256: string;
  readonly packages: readonly Locked[];
  readonly direct: readonly Need[];
}

// These two test the project and are in no binary.
const TESTS_ONLY = ["fast-check", "playwright-core"];
const ROOT = "SPDXRef-signet-connectors";
const RUNTIME = "SPDXRef-denort";
const UNKNOWN = "NOASSERTION";

/** What the release is made of, as SPDX 2.3. The lock names no licences, so none is asserted. */
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
      own(ROOT, "signet-connectors", input.version, "Apache-2.0"),
      own(RUNTIME, "denort", DENO_VERSION, "MIT"),
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

function own(SPDXID: string, name: string, versionInfo: string, license: string) {
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
    ...own(idOf(p), p.name, p.version, UNKNOWN),
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
    ...(hash && { checksums: [{ algorithm: "SHA512", checksumValue: Uint8Array.fromBase64(hash).toHex() }] }),
  };
}
