import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { syncService } from "./service.ts";

type Os = typeof Deno.build.os;

function service(os: Os, program = "/home/u/.local/bin/signet-connect", env: Record<string, string> = {}) {
  return syncService({
    binary: "signet-connect",
    argv: [program, "sync", "--watch", "--workspace", 'a "b" $HOME 50% \\ <&>'],
    host: { os, env: (name) => ({ HOME: "/home/u", ...env })[name] },
  });
}

function written(os: Os, program?: string): { path: string; text: string; owns(text: string): boolean } {
  const target = service(os, program)?.targets[0];
  assert(target?.kind === "file");
  return target;
}

Deno.test("syncService() is a systemd user unit on Linux, enabled by a link", () => {
  const { path, text, owns } = written("linux");
  assertEquals(path, "/home/u/.config/systemd/user/signet-connect-sync.service");
  assertStringIncludes(
    text,
    'ExecStart="/home/u/.local/bin/signet-connect" "sync" "--watch" "--workspace" "a \\"b\\" $$HOME 50%% \\\\ <&>"\n',
  );
  assert(owns(text));
  assert(!owns("[Unit]\nDescription=mine\n"));
  assertEquals(service("linux")?.targets[1], {
    kind: "link",
    path: "/home/u/.config/systemd/user/default.target.wants/signet-connect-sync.service",
    to: path,
  });
  assertEquals(
    service("linux", "/b", { XDG_CONFIG_HOME: "/x" })?.targets[0]?.path,
    "/x/systemd/user/signet-connect-sync.service",
  );
});

Deno.test("syncService() is a launchd agent on macOS", () => {
  const { path, text, owns } = written("darwin");
  assertEquals(path, "/home/u/Library/LaunchAgents/ai.signet.signet-connect-sync.plist");
  assertStringIncludes(text, "<string>sync</string>\n    <string>--watch</string>");
  assertStringIncludes(text, '<string>a "b" $HOME 50% \\ &lt;&amp;&gt;</string>');
  assert(owns(text));
});

Deno.test("syncService() is undefined on other systems, and refuses characters that a unit cannot hold", () => {
  assertEquals(service("windows"), undefined);
  for (const program of ["/a\nb", "/a'b", '/a"b', "/a\\b"]) {
    assertThrows(() => service("linux", program), Error, "move the program");
  }
});

const analyze = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

Deno.test({
  name: "syncService() writes a unit that systemd accepts, for a path with special characters",
  ignore: analyze === undefined,
  async fn() {
    const dir = await Deno.makeTempDir();
    try {
      const program = `${dir}/a b$HOME 5% (é) ;&`;
      await Deno.writeTextFile(program, "#!/bin/sh\n", { mode: 0o755 });
      await Deno.writeTextFile(`${dir}/signet-connect-sync.service`, written("linux", program).text);
      const { success, stderr } = await new Deno.Command(analyze ?? "", {
        args: ["--user", "verify", `${dir}/signet-connect-sync.service`],
        env: { XDG_RUNTIME_DIR: dir, HOME: dir },
      }).output();
      assert(success, new TextDecoder().decode(stderr));
    } finally {
      await Deno.remove(dir, { recursive: true });
    }
  },
});
