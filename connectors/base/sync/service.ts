import { home, HOST, join, type Surroundings } from "../../../hooks/state/paths.ts";
import { programName, quotePosix } from "../hooks_config/hook_command.ts";
import type { Target } from "../harness.ts";
import type { Owned } from "./owned.ts";

export interface ServiceOptions {
  /** The binary's name, which names the service: `signet-connect`. */
  readonly binary: string;
  /** The program, by its absolute path, and the arguments that keep it watching. */
  readonly argv: readonly string[];
  readonly host?: Surroundings;
}

export interface Service {
  /** The files that install writes and uninstall removes. */
  readonly targets: readonly Target[];
  /** The command that starts it now. */
  readonly start: string;
  /** The command that stops it; run it before the file is removed. */
  readonly stop: string;
}

const MARK = "Keeps Signet identity files current";

/** A user-level service that runs `sync --watch`; undefined on a system without systemd and launchd. */
export function syncService({ binary, argv, host = HOST }: ServiceOptions): Service | undefined {
  const base = home(host);
  if (base === undefined) return undefined;
  const [program = ""] = argv;
  // systemd 252: "Executable name contains special characters", escaped or not.
  if (argv.some((arg) => /[\0\r\n]/.test(arg)) || (host.os === "linux" && /["'\\]/.test(program))) {
    throw new Error(
      `The command ${
        JSON.stringify(argv)
      } has a character that a service file cannot hold; move the program.`,
    );
  }
  if (host.os === "linux") return systemd(binary, argv, base, host);
  if (host.os === "darwin") return launchd(binary, argv, base, host);
  return undefined;
}

function file(path: string, text: string): Target {
  return { kind: "file", path, text, owns: (existing) => existing.includes(MARK) };
}

function systemd(binary: string, argv: readonly string[], base: string, host: Surroundings): Service {
  const config = host.env("XDG_CONFIG_HOME");
  const directory = join(
    host,
    config?.startsWith("/") ? config : join(host, base, ".config"),
    "systemd",
    "user",
  );
  const name = `${binary}-sync.service`;
  const path = join(host, directory, name);
  const text = `[Unit]
Description=${MARK} (${binary})

[Service]
ExecStart=${systemdCommand(argv)}
Restart=on-failure
RestartSec=30
Nice=10

[Install]
WantedBy=default.target
`;
  return {
    targets: [
      file(path, text),
      // The link that `systemctl enable` creates: the unit starts at login.
      { kind: "link", path: join(host, directory, "default.target.wants", name), to: path },
    ],
    start: `systemctl --user daemon-reload && systemctl --user start ${name}`,
    stop: `systemctl --user stop ${name}`,
  };
}

/** systemd expands `%` in every word, quoted or not, and `$` in every word but the program's. */
function systemdCommand([program = "", ...args]: readonly string[]): string {
  const quoted = (word: string) => `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
  return [quoted(program), ...args.map((arg) => quoted(arg).replaceAll("$", "$$$$"))].join(" ");
}

function launchd(binary: string, argv: readonly string[], base: string, host: Surroundings): Service {
  const label = `ai.signet.${binary}-sync`;
  const path = join(host, base, "Library", "LaunchAgents", `${label}.plist`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${MARK} (${binary}) -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${argv.map((arg) => `    <string>${xml(arg)}</string>`).join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
  return {
    targets: [file(path, text)],
    start: `launchctl bootstrap gui/$(id -u) ${quotePosix(path)}`,
    stop: `launchctl bootout gui/$(id -u)/${label}`,
  };
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The files of the service, if an earlier `sync --service` wrote them: an install keeps them. */
export function recordedService(program: string, host: Surroundings, owned: Owned): readonly Target[] {
  // Checked first: syncService() throws for some program paths that are valid for an install.
  if (![...owned.files.keys()].some((path) => /-sync\.(service|plist)$/.test(path))) return [];
  const service = syncService({ binary: programName(program), argv: watchArgv(program), host });
  const targets = service?.targets ?? [];
  return targets[0] !== undefined && owned.files.has(targets[0].path) ? targets : [];
}

/** The command that the service runs. */
export function watchArgv(program: string): string[] {
  return [program, "sync", "--watch", "--quiet"];
}
