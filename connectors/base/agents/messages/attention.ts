import type { Woken } from "../../../../hooks/agents/wake/wake.ts";

/** When the receiver sees a message. */
export const ATTENTION: Record<Woken, string> = {
  busy: "It is working, and sees the message between two steps.",
  watches: "It is idle, and is woken now.",
  queued: "It is idle, and is woken now.",
  bell: "It is idle and cannot be woken: its terminal rings, and it sees the message at its next prompt.",
  "next prompt": "It sees the message at its next prompt.",
};
