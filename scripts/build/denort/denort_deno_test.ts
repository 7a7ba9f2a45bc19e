import { assertEquals } from "@std/assert";
import { denortFromDeno } from "./denort_deno.ts";
import { findTarget } from "../targets.ts";
import { zipOne } from "../../../connectors/connect/release/zip.ts";

Deno.test("denortFromDeno() unpacks the runtime that Deno has downloaded, if any", async () => {
  const denoDir = await Deno.makeTempDir();
  const cache = `${await Deno.makeTempDir()}/new`;
  const target = findTarget("windows-x64");
  assertEquals(await denortFromDeno(target, cache, denoDir), undefined);

  const runtime = new TextEncoder().encode("pretend runtime");
  const dir = `${denoDir}/dl/release/v2.7.11`;
  await Deno.mkdir(dir, { recursive: true });
  await Deno.writeFile(`${dir}/denort-x86_64-pc-windows-msvc.zip`, await zipOne("denort.exe", runtime));
  const path = await denortFromDeno(target, cache, denoDir);
  assertEquals(path && await Deno.readFile(path), runtime);
  assertEquals(await denortFromDeno(target, cache, denoDir), path);
  assertEquals([...Deno.readDirSync(cache)].length, 1);
});
