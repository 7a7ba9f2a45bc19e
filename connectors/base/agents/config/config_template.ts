import type { Scope } from "../../../../hooks/agents/config/config_files.ts";

const SHARED = `# Instructions for agents when a session starts, in plain words. {{handle}},
# {{agent_id}}, {{harness}} and {{project}} are filled in.
# rules:
#   - Ask codex for a review before you commit.

# The same for one harness.
# rulesFor:
#   gemini: Only write tests.

# Whether an agent that gives work to another waits: roundtrip, oneway, auto.
# flow: auto
`;

const USER = `# How your agents work together. Saved changes take effect by themselves.
# signet-connect agents config show says what counts where, and docs/agents.md what each key means.

${SHARED}
# Agents that may write to yours from other projects, and agents that may not write at all.
# allow: [laptop, server]
# deny: [guest]

# Agents that may stop yours (priority 5).
# stop: [server]

# How many messages of one sender are shown in ten minutes.
# perTenMinutes: 20

# File locks: off, on, auto, strict.
# locks: on

# How messages travel between machines: daemon, or a NATS server.
# transport: nats://user@host:4222

# Arguments for a harness that send --start runs.
# start:
#   codex: [--sandbox, read-only]
`;

const REPOSITORY = `${SHARED}
# A repository may only tighten what its user allows: take agents from their lists,
# deny more, show fewer messages, and lock more strictly.
# allow: []
# deny: [guest]
# perTenMinutes: 10
# locks: strict
`;

/** A new file in which everything is a comment. */
export function configTemplate(scope: Scope): string {
  if (scope === "user") return USER;
  const audience = scope === "project"
    ? "# How agents work together in this repository, for everybody who works in it."
    : "# How agents work together in this repository, on this machine. Keep it out of git.";
  return `${audience}\n\n${REPOSITORY}`;
}
