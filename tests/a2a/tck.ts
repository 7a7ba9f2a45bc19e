/**
 * Runs the official kit (a2aproject/a2a-tck, branch 1.0-dev) from a checkout against
 * the gateway: `deno task a2a:tck DIR [pytest arguments]`. It needs Debian's packages
 * python3-pytest, python3-pytest-asyncio, python3-httpx, python3-grpcio,
 * python3-protobuf, python3-jsonschema, python3-jinja2, protobuf-compiler and
 * protobuf-compiler-grpc, and npm. The kit runs where only loopback exists.
 */
import { dirname, join } from "@std/path";
import { gatewayApp } from "../../connectors/connect/a2a/server/gateway_app.ts";
import { PushConfigs } from "../../connectors/connect/a2a/server/push_configs.ts";
import { Deliveries } from "../../connectors/connect/a2a/push/deliveries.ts";
import { notify, pushKey } from "../../connectors/connect/a2a/push/push_notifications.ts";
import { openGatewayDatabase } from "../../connectors/connect/a2a/tasks/gateway_database.ts";
import { TaskBoard } from "../../connectors/connect/a2a/tasks/task_board.ts";
import { TaskStore } from "../../connectors/connect/a2a/tasks/task_store.ts";
import { findNamespace, isInside, runInside } from "../e2e/namespace.ts";
import { fetchPackage, type Package, programPath } from "../e2e/packages.ts";
import { run } from "../e2e/process.ts";
import { TckWork } from "./tck_work.ts";

/** The kit's stubs are made with a newer protobuf than Debian's, and its proto file imports Google's. */
const PROTOS: Package = {
  name: "google-proto-files",
  version: "5.0.3",
  program: "google-proto-files/package.json",
};
const PYTHON = "/usr/bin/python3";
const TOKEN = "tck";
const HOUR_MS = 3_600_000;

const [checkout, ...args] = Deno.args;
if (checkout === undefined) {
  console.error("usage: deno task a2a:tck DIR [pytest arguments]");
  Deno.exit(2);
}
if (isInside()) Deno.exit(await test(checkout, args));
await fetchPackage(PROTOS, (line) => console.error(line));
const way = await findNamespace();
if (typeof way === "string") {
  console.error(`The kit runs only in a network namespace with loopback alone: ${way}.`);
  Deno.exit(1);
}
Deno.exit(await runInside(way, import.meta.url, Deno.args));

async function test(dir: string, more: readonly string[]): Promise<number> {
  const work = await Deno.makeTempDir({ prefix: "a2a-tck-" });
  try {
    const kit = await prepare(dir, work);
    await using server = serve(work);
    const child = new Deno.Command(PYTHON, {
      args: [
        ...["-m", "pytest", "tests/compatibility", `--sut-host=${server.url}`, "--tb=short", "-q", "-rf"],
        ...["-p", "no:cacheprovider", ...more],
      ],
      cwd: kit,
      env: {
        PYTHONPATH: [stubs(work), Deno.env.get("PYTHONPATH") ?? ""].filter((path) => path !== "").join(":"),
      },
    }).spawn();
    return (await child.status).code;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** A copy of the kit that runs on Debian's packages. */
async function prepare(dir: string, work: string): Promise<string> {
  const kit = join(work, "kit");
  await must("cp", ["-r", dir, kit]);
  const project = join(kit, "pyproject.toml");
  const text = await Deno.readTextFile(project);
  await Deno.writeTextFile(project, text.replace('minversion = "8.0"', 'minversion = "7.0"'));
  const plugin = await must("sh", ["-c", "command -v grpc_python_plugin"]);
  const include = [`-I${join(kit, "specification")}`, `-I${dirname(programPath(PROTOS))}`];
  const generated = join(kit, "specification/generated");
  await must("protoc", [
    ...include,
    `--python_out=${generated}`,
    `--grpc_out=${generated}`,
    `--plugin=protoc-gen-grpc=${plugin.trim()}`,
    "a2a.proto",
  ]);
  // Debian has no package with the stubs of these.
  await Deno.mkdir(stubs(work));
  const google = ["annotations", "client", "field_behavior", "http", "launch_stage"].map((name) =>
    `api/${name}`
  );
  const files = [...google, "rpc/error_details", "rpc/status"].map((name) => `google/${name}.proto`);
  await must("protoc", [...include, `--python_out=${stubs(work)}`, ...files]);
  return kit;
}

function stubs(work: string): string {
  return join(work, "stubs");
}

async function must(program: string, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, { timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The gateway with the kit's agent behind it. The kit has no token, so it gets one here. */
function serve(dir: string): AsyncDisposable & { url: string } {
  const database = openGatewayDatabase(dir);
  const store = new TaskStore(database);
  const rules = { allow: ["127.0.0.1", "localhost", "0.0.0.0"] };
  const deliveries = new Deliveries(database, { rules });
  const board = new TaskBoard(store, ({ task }, event) => notify(store, deliveries, task.id, event));
  const started = Promise.withResolvers<ReturnType<typeof gatewayApp>>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const headers = new Headers(request.headers);
    // The kit sends different messages with one id, and the gateway would take the second for the first.
    database.exec("update tasks set client_message = id");
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${TOKEN}`);
    return await (await started.promise).fetch(new Request(request, { headers }));
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  started.resolve(gatewayApp({
    board,
    work: new TckWork(board),
    push: new PushConfigs(store, rules, (task, config) => deliveries.drop(pushKey(task, config))),
    addresses: { scheme: "http", hosts: [] },
    url,
    ttlMs: HOUR_MS,
    clientOf: (token) => Promise.resolve(token === TOKEN ? "tck" : undefined),
    harnessOf: () => undefined,
  }));
  return {
    url,
    async [Symbol.asyncDispose]() {
      await deliveries.stop();
      await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, 1000))]);
      database.close();
    },
  };
}
