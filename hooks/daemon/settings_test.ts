import { assertEquals, assertMatch } from "@std/assert";
import type { Surroundings } from "../state/paths.ts";
import { loadSettings, type SettingsFlags, type SettingsPlace } from "./settings.ts";

interface Case {
  name: string;
  file?: Record<string, unknown> | string;
  env?: Record<string, string>;
  flags?: SettingsFlags;
  place?: SettingsPlace;
  expect: {
    url?: string;
    apiKey?: string | undefined;
    agentId?: string;
    workspace?: string;
    problem?: RegExp;
  };
}

const FILE = { url: "https://signet.example", apiKey: "sig_sk_file", agentId: "me/file", machineId: "m1" };

const TABLE = {
  ...FILE,
  agents: [
    { id: "bob", apiKey: "k-bob", projects: ["/home/u/work"] },
    { id: "ana", projects: ["/home/u/notes"] },
  ],
};

const CASES: Case[] = [
  {
    name: "the agent of the directory, with its key",
    file: TABLE,
    place: { cwd: "/home/u/work/x" },
    expect: { agentId: "bob", apiKey: "k-bob" },
  },
  {
    name: "an agent without a key of its own uses the installed one",
    file: TABLE,
    place: { cwd: "/home/u/notes" },
    expect: { agentId: "ana", apiKey: FILE.apiKey },
  },
  {
    name: "another directory",
    file: TABLE,
    place: { cwd: "/home/u" },
    expect: { agentId: FILE.agentId, apiKey: FILE.apiKey },
  },
  {
    name: "SIGNET_AGENT_ID before the directory",
    file: TABLE,
    env: { SIGNET_AGENT_ID: "me/env", SIGNET_API_KEY: "k-env" },
    place: { cwd: "/home/u/work" },
    expect: { agentId: "me/env", apiKey: "k-env" },
  },
  {
    name: "the directory before another session's variables",
    file: TABLE,
    env: { SIGNET_AGENT_ID: "me/env", SIGNET_API_KEY: "k-env" },
    place: { cwd: "/home/u/work", projectFirst: true },
    expect: { agentId: "bob", apiKey: "k-bob" },
  },
  {
    name: "the variables of the directory's own agent",
    file: TABLE,
    env: { SIGNET_AGENT_ID: "bob", SIGNET_API_KEY: "k-env" },
    place: { cwd: "/home/u/work", projectFirst: true },
    expect: { agentId: "bob", apiKey: "k-env" },
  },
  {
    name: "SIGNET_AGENT_ID alone uses the agent's stored key",
    file: TABLE,
    env: { SIGNET_AGENT_ID: "bob" },
    expect: { agentId: "bob", apiKey: "k-bob" },
  },
  {
    name: "the keys of the table stay with the stored origin",
    file: TABLE,
    env: { SIGNET_DAEMON_URL: "https://other.example" },
    place: { cwd: "/home/u/work" },
    expect: { problem: /nothing is sent there/, agentId: "bob", apiKey: undefined },
  },
  { name: "nothing", expect: { url: "http://127.0.0.1:3850", apiKey: undefined, agentId: "default" } },
  { name: "the file", file: FILE, expect: { url: FILE.url, apiKey: FILE.apiKey, agentId: FILE.agentId } },
  {
    name: "environment before file",
    file: FILE,
    env: { SIGNET_AGENT_ID: "me/env", SIGNET_API_KEY: "k-env", SIGNET_TOKEN: "k-token" },
    expect: { url: FILE.url, apiKey: "k-env", agentId: "me/env" },
  },
  { name: "SIGNET_TOKEN", env: { SIGNET_TOKEN: "k-token" }, expect: { apiKey: "k-token" } },
  {
    name: "flags before environment",
    file: FILE,
    env: { SIGNET_DAEMON_URL: "https://env.example", SIGNET_AGENT_ID: "me/env" },
    flags: { url: "https://flag.example", apiKey: "k-flag", agentId: "me/flag", workspace: "/w" },
    expect: { url: "https://flag.example", apiKey: "k-flag", agentId: "me/flag", workspace: "/w" },
  },
  {
    name: "the stored key stays with the stored origin",
    file: FILE,
    env: { SIGNET_DAEMON_URL: "https://other.example" },
    expect: {
      url: "https://other.example",
      apiKey: undefined,
      problem: /nothing is sent there without a key/,
    },
  },
  {
    name: "the stored origin spelled otherwise is still the stored origin",
    file: FILE,
    env: { SIGNET_DAEMON_URL: "https://SIGNET.example:443/" },
    expect: { url: FILE.url, apiKey: FILE.apiKey },
  },
  {
    name: "another port is another origin",
    file: { url: "http://127.0.0.1:3850", apiKey: "k" },
    env: { SIGNET_PORT: "4000" },
    expect: { url: "http://127.0.0.1:4000", apiKey: undefined },
  },
  { name: "SIGNET_HOST", env: { SIGNET_HOST: "::1" }, expect: { url: "http://[::1]:3850" } },
  {
    name: "SIGNET_DAEMON_URL before SIGNET_HOST",
    env: { SIGNET_HOST: "h", SIGNET_DAEMON_URL: "https://u.example", SIGNET_API_KEY: "k" },
    expect: { url: "https://u.example", apiKey: "k" },
  },
  {
    name: "another machine from the environment needs a key from there, also without a file",
    env: { SIGNET_DAEMON_URL: "https://u.example" },
    expect: { problem: /SIGNET_DAEMON_URL names another machine, https:\/\/u\.example/ },
  },
  {
    name: "another machine from SIGNET_HOST needs a key too",
    env: { SIGNET_HOST: "192.168.1.7" },
    expect: { problem: /SIGNET_HOST names another machine/ },
  },
  {
    name: "this machine from the environment needs no key",
    file: FILE,
    env: { SIGNET_DAEMON_URL: "http://localhost:4000" },
    expect: { url: "http://localhost:4000", apiKey: undefined },
  },
  {
    name: "plain http to another machine without a key goes on",
    file: { url: "http://192.168.1.7:3850" },
    expect: { url: "http://192.168.1.7:3850" },
  },
  {
    name: "no key on plain http to another machine",
    file: { url: "http://192.168.1.7:3850", apiKey: "k" },
    expect: { url: "http://192.168.1.7:3850", apiKey: undefined, problem: /plain http/ },
  },
  {
    name: "unless it was asked for at install",
    file: { url: "http://192.168.1.7:3850", apiKey: "k", insecureHttp: true },
    expect: { apiKey: "k" },
  },
  {
    name: "which does not hold for another origin",
    file: { url: "http://192.168.1.7:3850", apiKey: "k", insecureHttp: true },
    env: { SIGNET_DAEMON_URL: "http://192.168.1.8:3850", SIGNET_API_KEY: "k2" },
    expect: { apiKey: undefined, problem: /plain http/ },
  },
  { name: "a URL with a typo", env: { SIGNET_DAEMON_URL: "htp://x" }, expect: { problem: /neither http/ } },
  { name: "a bad agent id", env: { SIGNET_AGENT_ID: "../x" }, expect: { problem: /agent id/ } },
  {
    name: "blank variables",
    file: FILE,
    env: { SIGNET_AGENT_ID: " ", SIGNET_DAEMON_URL: "" },
    expect: { agentId: "me/file" },
  },
  { name: "a file that is no JSON", file: "{", expect: { problem: /not a JSON object/ } },
  { name: "a file that is a list", file: "[]", expect: { problem: /not a JSON object/ } },
  {
    name: "wrong types are ignored",
    file: '{"url":3,"agentId":{}}',
    expect: { url: "http://127.0.0.1:3850", agentId: "default" },
  },
  {
    name: "SIGNET_PATH before SIGNET_WORKSPACE",
    env: { SIGNET_PATH: "/p", SIGNET_WORKSPACE: "/q" },
    expect: { workspace: "/p" },
  },
];

for (const { name, file, env = {}, flags, place, expect } of CASES) {
  Deno.test(`loadSettings() ${name}`, async () => {
    const home = await Deno.makeTempDir();
    try {
      const all: Record<string, string> = { HOME: home, ...env };
      const host: Surroundings = { env: (key) => all[key], os: "linux" };
      if (file !== undefined) {
        await Deno.mkdir(`${home}/.config/signet/connectors`, { recursive: true });
        const text = typeof file === "string" ? file : JSON.stringify(file);
        await Deno.writeTextFile(`${home}/.config/signet/connectors/x.json`, text, { mode: 0o600 });
      }
      const settings = loadSettings("x", host, flags, place);
      const { problem, ...values } = expect;
      for (const [key, value] of Object.entries(values)) {
        assertEquals(Object.entries(settings).find(([field]) => field === key)?.[1], value, key);
      }
      if (problem === undefined) assertEquals(settings.problem, undefined);
      else assertMatch(settings.problem ?? "", problem);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
}

Deno.test("loadSettings() reports the source of each value", () => {
  const env: Record<string, string> = { SIGNET_API_KEY: "k", SIGNET_PORT: "4000" };
  const { sources } = loadSettings("x", { env: (key) => env[key], os: "linux" }, { agentId: "a" });
  assertEquals(sources, {
    url: "SIGNET_PORT",
    apiKey: "SIGNET_API_KEY",
    agentId: "--agent-id",
    workspace: undefined,
  });
});
