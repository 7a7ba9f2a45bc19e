// Signet memory for OpenCode, written by signet-opencode.
// `signet-opencode uninstall` removes it; an install writes it again.
import { opencodeHooks } from "../base/plugin/opencode_hooks.js";

const SETTINGS = { argv: ["signet-opencode", "hook", "EVENT"], timeouts: {}, checkpointEvery: 10 }; // signet:settings

/** The plugin. OpenCode does not load a file that exports anything but functions. */
export const Signet = (input) => Promise.resolve(opencodeHooks(SETTINGS, input));
