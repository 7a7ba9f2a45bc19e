import type { Command, Flag } from "../command.ts";

const LOGIN: readonly Flag[] = [
  { name: "user", value: "NAME", summary: "The user (default: the one in the address, else the agent)" },
  { name: "password-file", value: "FILE", summary: "Read the password from a file" },
  { name: "password-stdin", summary: "Read the password from standard input" },
  { name: "token-file", value: "FILE", summary: "Read a token from a file" },
  { name: "nkey-file", value: "FILE", summary: "Read the seed of an nkey from a file" },
  { name: "creds", value: "FILE", summary: "Read a creds file with a JWT and an nkey" },
];

/** The commands for the NATS server that `transport` in agents.yaml names. */
export const NATS_COMMANDS: readonly Command[] = [
  {
    id: "agents.login",
    summary: "Store the login for the NATS server that agents send their messages through",
    mode: "write",
    action: "change",
    resource: "agents",
    args: "",
    flags: [
      ...LOGIN,
      { name: "agent-id", value: "ID", summary: "The login is for this agent only (default: for all)" },
      { name: "ca", value: "FILE", summary: "The certificate authority of the server, as PEM" },
      { name: "no-tls", summary: "Connect to another machine without TLS: others can read all messages" },
    ],
    examples: [
      "agents login --user alice --password-file ~/nats-password",
      "agents login --creds ~/alice.creds --ca ~/team-ca.pem",
    ],
    load: () => import("../commands/agents/agents_login.ts"),
  },
  {
    id: "agents.prepare",
    summary: "Create what agents need at the NATS server, with an administrator's login",
    mode: "admin",
    action: "change",
    resource: "agents",
    args: "AGENT…",
    flags: LOGIN,
    examples: ["agents prepare alice bob --mode admin --user admin --password-file ~/nats-admin"],
    load: () => import("../commands/agents/agents_prepare.ts"),
  },
];
