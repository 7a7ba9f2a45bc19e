import { assertEquals, assertMatch } from "@std/assert";
import { HOST } from "./paths.ts";
import { readPrivateFile } from "./private_file.ts";

Deno.test("readPrivateFile() reads a regular 0600 file of this user and refuses every other", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const good = `${dir}/good.json`;
    await Deno.writeTextFile(good, "secret", { mode: 0o600 });
    await Deno.writeTextFile(`${dir}/open.json`, "secret");
    await Deno.chmod(`${dir}/open.json`, 0o644);
    await Deno.symlink(good, `${dir}/link.json`);
    await Deno.mkdir(`${dir}/directory.json`);
    await new Deno.Command("mkfifo", { args: ["-m", "600", `${dir}/fifo.json`] }).output();
    const cases: [string, RegExp][] = [
      ["open.json", /can be read by others.*chmod 600/],
      ["link.json", /symbolic link/],
      ["directory.json", /not a regular file/],
      ["fifo.json", /not a regular file/],
    ];
    assertEquals(readPrivateFile(good, HOST), { kind: "text", text: "secret" });
    assertEquals(readPrivateFile(`${dir}/none.json`, HOST), { kind: "missing" });
    assertEquals(readPrivateFile(`${good}/none.json`, HOST), { kind: "missing" });
    for (const [name, problem] of cases) {
      const read = readPrivateFile(`${dir}/${name}`, HOST);
      assertMatch(read.kind === "problem" ? read.problem : read.kind, problem);
    }
    if (Deno.uid() === 0) {
      await Deno.chown(good, 65534, 65534);
      const read = readPrivateFile(good, HOST);
      assertMatch(read.kind === "problem" ? read.problem : read.kind, /belongs to another user/);
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
