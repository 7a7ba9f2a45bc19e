/**
 * The mock daemon, for tests and demos.
 *
 * @module
 */
export { createMockDaemon, type MockDaemon } from "./daemon.ts";
export { type MockServer, serve, type ServeOptions } from "./serve.ts";
export { PROFILE_NAMES, type ProfileName } from "./profile/profile.ts";
export type { AuthMode, Matrix, MockDaemonOptions } from "./options.ts";
export type { Recorded, RequestFilter } from "./record/recorder.ts";
export { newKey } from "./store/keys.ts";
