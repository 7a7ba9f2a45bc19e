import type { Faults } from "./fault/faults.ts";
import type { MockDaemonOptions } from "./options.ts";
import type { Profile } from "./profile/profile.ts";
import type { Recorder } from "./record/recorder.ts";
import type { Recovery } from "./session/recovery.ts";
import type { Presence } from "./session/presence.ts";
import type { Sessions } from "./session/sessions.ts";
import type { Agents } from "./store/agents.ts";
import type { Attributes } from "./store/attributes.ts";
import type { Store } from "./store/store.ts";
import type { Keys } from "./store/keys.ts";
import type { Memories } from "./store/memories.ts";
import type { Messages } from "./store/messages.ts";
import type { Tokens } from "./store/tokens.ts";
import type { Tombstones } from "./store/tombstones.ts";
import type { Kept } from "./transcript/kept.ts";

/** The state of one daemon. It is passed to routes; nothing is global. */
export interface State {
  readonly options: MockDaemonOptions;
  readonly profile: Profile;
  readonly store: Store;
  readonly memories: Memories;
  readonly attributes: Attributes;
  readonly agents: Agents;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly presence: Presence;
  readonly recovery: Recovery;
  readonly messages: Messages;
  readonly tombstones: Tombstones;
  readonly kept: Kept;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly clock: () => number;
  readonly startedAt: number;
  /** When each harness last sent a hook. */
  readonly lastSeen: Map<string, string>;
  /** Ends hanging requests and open streams when the daemon stops. */
  readonly closing: AbortController;
  /** The listening address, set once the daemon listens. */
  address: { host: string; port: number };
}
