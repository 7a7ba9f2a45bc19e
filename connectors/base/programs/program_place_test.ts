import { assertEquals } from "@std/assert";
import { programPlace } from "./program_place.ts";

const host = {
  os: "linux" as const,
  env: (name: string) => ({ HOME: "/home/u", PATH: "/usr/bin:/opt/signet" })[name],
};
const running = { execPath: "/home/u/Downloads/signet-pi", standalone: true, cwd: "/home/u/work" };

Deno.test("programPlace() is an absolute path, chosen by flag, PATH, earlier install, ~/.local/bin", () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    [running.execPath, undefined, undefined, "/home/u/.local/bin/signet-pi"],
    [running.execPath, "/opt/bin/", undefined, "/opt/bin/signet-pi"],
    [running.execPath, "bin", undefined, "/home/u/work/bin/signet-pi"],
    [running.execPath, "../bin", undefined, "/home/u/bin/signet-pi"],
    [running.execPath, "~/bin", undefined, "/home/u/bin/signet-pi"],
    [running.execPath, undefined, "/home/u/mine/signet-pi", "/home/u/mine/signet-pi"],
    [running.execPath, "/opt/bin", "/home/u/mine/signet-pi", "/opt/bin/signet-pi"],
    [running.execPath, undefined, "/home/u/mine/signet-connect", "/home/u/.local/bin/signet-pi"],
    ["/opt/signet/signet-pi", undefined, "/home/u/mine/signet-pi", "/opt/signet/signet-pi"],
    ["/opt/signet/signet-pi", "/opt/bin", undefined, "/opt/bin/signet-pi"],
  ];
  for (const [execPath, binDir, earlier, path] of cases) {
    assertEquals(
      programPlace("signet-pi", host, { ...running, execPath }, binDir, earlier),
      { path, source: execPath },
      `${execPath} ${binDir} ${earlier}`,
    );
  }
});
