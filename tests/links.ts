/**
 * `deno task test:links`: runs the tests of the connectors' binaries with a link to
 * signet-connect in place of each connector. A link must behave as the program.
 */
import { HARNESSES } from "../connectors/registry.ts";
import { ROOT } from "./worlds/built.ts";

// These build programs, and never run the one in dist/.
const BUILD_TESTS = [
  "arm64_test.ts",
  "build_test.ts",
  "first_minute_test.ts",
  "release_test.ts",
  "upgrade_signed_test.ts",
];

// These start with signet-connect, which makes the links itself: a second run would be the same.
const CONNECT_TESTS = [
  "api_key_test.ts",
  "daemon_versions_test.ts",
  "log_test.ts",
  "setup_test.ts",
  "sigkill_test.ts",
];
const LEFT_OUT = new Set([...BUILD_TESTS, ...CONNECT_TESTS]);

const dir = await Deno.makeTempDir({ prefix: "signet-links-" });
try {
  for (const { binary } of HARNESSES) await Deno.symlink(`${ROOT}/dist/signet-connect`, `${dir}/${binary}`);
  for (const name of ["signet-connect", "signet-mock-daemon"]) {
    await Deno.symlink(`${ROOT}/dist/${name}`, `${dir}/${name}`);
  }
  const tests = [...Deno.readDirSync(`${ROOT}/tests/binary`)].map(({ name }) => name)
    .filter((name) => name.endsWith("_test.ts") && !LEFT_OUT.has(name)).sort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", ...Deno.args, ...tests.map((name) => `tests/binary/${name}`)],
    cwd: ROOT,
    env: { SIGNET_TEST_DIST: dir },
  }).spawn();
  Deno.exitCode = (await child.status).code;
} finally {
  await Deno.remove(dir, { recursive: true });
}
