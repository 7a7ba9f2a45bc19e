import { isPriority, MAX_TTL, type Priority } from "../../../../hooks/agents/messages/message.ts";
import { HOP_VARIABLE } from "../../agents/wake/headless.ts";
import type { Draft } from "../../agents/messages/send.ts";
import { type Context, EXIT, UserError } from "../command.ts";

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** What the flags of `send` say about a message. */
export function draftFlags({ flags, host }: Pick<Context, "flags" | "host">): Omit<Draft, "text"> {
  const given = priority(flags.text("priority"));
  const hop = Number(host.env(HOP_VARIABLE) ?? 0);
  return {
    // The lowest priorities wake nobody.
    priority: flags.on("no-wake") && given > 2 ? 2 : given,
    wants: flags.on("no-reply") || given === 1 ? "none" : "reply",
    ttl: flags.text("ttl") === undefined ? undefined : duration("ttl", flags.text("ttl") ?? ""),
    thread: thread(flags.text("thread")),
    hop: Number.isInteger(hop) && hop >= 0 ? hop : 0,
  };
}

function priority(text: string | undefined): Priority {
  const number = Number(text ?? 3);
  if (isPriority(number)) return number;
  throw new UserError(
    `--priority must be a number from 1 (a note) to 5 (stop), not ${text}.`,
    EXIT.usage,
    "--priority 3",
  );
}

function thread(text: string | undefined): string | undefined {
  if (text === undefined || /^[\w.:-]{1,64}$/.test(text)) return text;
  throw new UserError(`--thread must be up to 64 letters, digits, "-", "_", "." or ":".`, EXIT.usage);
}

/** `90`, `90s`, `10m`, `1h` or `2d` in seconds. */
export function duration(flag: string, text: string): number {
  const [, digits = "", unit = "s"] = /^(\d{1,7})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * (SECONDS[unit || "s"] ?? NaN);
  if (digits !== "" && seconds > 0 && seconds <= MAX_TTL) return seconds;
  throw new UserError(
    `--${flag} must be a time such as 30s, 10m, 1h or 7d (the most), not ${text}.`,
    EXIT.usage,
    `--${flag} ${flag === "ttl" ? "1h" : "60"}`,
  );
}
