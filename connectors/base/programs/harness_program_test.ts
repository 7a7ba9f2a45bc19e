import { assertEquals } from "@std/assert";
import { harnessProgram, type HarnessProgramOptions } from "./harness_program.ts";

const PI = { binary: "signet-pi" };

/** A home with these programs (text), links (`-> target`) and directories (`/`); paths below it begin with `~`. */
async function withHome(
  files: Record<string, string>,
  body: (place: (options: Partial<HarnessProgramOptions>) => Promise<unknown>, home: string) => Promise<void>,
): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "signet-" });
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = `${home}/${name}`;
      await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      if (content === "/") await Deno.mkdir(path);
      else if (content.startsWith("-> ")) await Deno.symlink(content.slice(3).replace("~", home), path);
      else await Deno.writeTextFile(path, content, { mode: content === "text" ? 0o644 : 0o755 });
    }
    const host = {
      os: "linux" as const,
      env: (name: string) => ({ HOME: home, PATH: `/usr/bin:${home}/bin` })[name],
    };
    const full = (path: string) => path.replace("~", home);
    const uid = Deno.uid() ?? undefined;
    await body(async (options) => {
      const { running, earlier, binDir } = options;
      const place = await harnessProgram(PI, {
        binary: "signet-connect",
        host,
        uid,
        ...options,
        running: { standalone: true, ...running, execPath: full(running?.execPath ?? "~/dl/signet-connect") },
        binDir: binDir && full(binDir),
        earlier: earlier && { path: full(earlier.path), link: earlier.link && full(earlier.link) },
      });
      const short = Object.entries(place).filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, value.replace(home, "~")]);
      return Object.fromEntries(short);
    }, home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const SOURCE = "~/dl/signet-connect";
const CONNECT = "~/.local/bin/signet-connect";
const LINK = "~/.local/bin/signet-pi";
const LINKED = { path: CONNECT, source: SOURCE, link: LINK };
const PLAIN = { path: CONNECT, source: SOURCE };

Deno.test("harnessProgram() of signet-connect is a link beside it, unless the hooks have a program already", async () => {
  const dl = { "dl/signet-connect": "binary" };
  const cases: [string, Record<string, string>, Partial<HarnessProgramOptions>, object][] = [
    ["first install", {}, {}, LINKED],
    [
      "again",
      {
        ".local/bin/signet-connect": "binary",
        ".local/bin/signet-pi": "-> signet-connect",
      },
      { earlier: { path: CONNECT, link: LINK } },
      LINKED,
    ],
    ["the link was deleted", {}, { earlier: { path: CONNECT, link: LINK } }, LINKED],
    ["hooks call signet-connect", {}, { earlier: { path: CONNECT } }, PLAIN],
    ["a standalone program is recorded", { "mine/signet-pi": "binary" }, {
      earlier: { path: "~/mine/signet-pi" },
    }, { path: "~/mine/signet-pi", source: "~/mine/signet-pi" }],
    ["a standalone program is there", { ".local/bin/signet-pi": "binary" }, {}, {
      path: LINK,
      source: LINK,
    }],
    [
      "a link to a standalone program is there",
      {
        "opt/signet-pi-1": "binary",
        ".local/bin/signet-pi": "-> ~/opt/signet-pi-1",
      },
      {},
      { path: LINK },
    ],
    ["a text is in the way", { ".local/bin/signet-pi": "text" }, {}, PLAIN],
    ["a directory is in the way", { ".local/bin/signet-pi": "/" }, {}, PLAIN],
    ["a dangling link is in the way", { ".local/bin/signet-pi": "-> gone" }, {}, PLAIN],
    ["--bin-dir", {}, { binDir: "~/bin" }, {
      path: "~/bin/signet-connect",
      source: SOURCE,
      link: "~/bin/signet-pi",
    }],
    ["--bin-dir again", { "mine/signet-pi": "binary" }, {
      binDir: "~/bin",
      earlier: { path: "~/mine/signet-pi" },
    }, { path: "~/bin/signet-connect", source: SOURCE, link: "~/bin/signet-pi" }],
    ["it runs from PATH", { "bin/signet-connect": "binary" }, {
      running: { execPath: "~/bin/signet-connect", standalone: true },
    }, { path: "~/bin/signet-connect", source: "~/bin/signet-connect", link: "~/bin/signet-pi" }],
    ["the directory is somebody else's", { "bin/signet-connect": "binary" }, {
      running: { execPath: "~/bin/signet-connect", standalone: true },
      uid: 12345,
    }, { path: "~/bin/signet-connect", source: "~/bin/signet-connect" }],
    ["from source", {}, { running: { execPath: "~/dl/deno", standalone: false } }, { path: CONNECT }],
  ];
  for (const [title, files, options, expected] of cases) {
    await withHome({ ...dl, ...files }, async (place) => assertEquals(await place(options), expected, title));
  }
});

Deno.test("harnessProgram() of signet-connect makes no link on Windows", async () => {
  await withHome({}, async (place, home) => {
    const host = { os: "windows" as const, env: (name: string) => ({ USERPROFILE: home })[name] };
    assertEquals(await place({ host }), {
      path: "~\\.local\\bin\\signet-connect.exe",
      source: SOURCE,
    });
  });
});

Deno.test("harnessProgram() through a link keeps the link, and copies the program where there is none", async () => {
  const binary = "signet-pi";
  const cases: [string, Record<string, string>, Partial<HarnessProgramOptions>, object][] = [
    ["recorded", { ".local/bin/signet-connect": "binary", ".local/bin/signet-pi": "-> signet-connect" }, {
      earlier: { path: CONNECT, link: LINK },
      running: { execPath: CONNECT, standalone: true },
    }, { path: CONNECT, source: CONNECT, link: LINK }],
    [
      "a link that somebody else made",
      {
        ".local/bin/signet-connect": "binary",
        ".local/bin/signet-pi": "-> signet-connect",
      },
      { running: { execPath: CONNECT, standalone: true } },
      { path: LINK },
    ],
    ["such a link on PATH", { "opt/signet-connect": "binary", "bin/signet-pi": "-> ../opt/signet-connect" }, {
      running: { execPath: "~/opt/signet-connect", standalone: true },
    }, { path: "~/bin/signet-pi" }],
    ["a link in a download directory", { "dl/signet-connect": "binary" }, {}, { path: LINK, source: SOURCE }],
    ["a standalone program, over a link", {
      ".local/bin/signet-connect": "binary",
      ".local/bin/signet-pi": "-> signet-connect",
      "dl/signet-pi": "binary",
    }, {
      earlier: { path: CONNECT, link: LINK },
      running: { execPath: "~/dl/signet-pi", standalone: true },
    }, { path: LINK, source: "~/dl/signet-pi" }],
  ];
  for (const [title, files, options, expected] of cases) {
    await withHome(
      files,
      async (place) => assertEquals(await place({ binary, ...options }), expected, title),
    );
  }
});
