/**
 * What most hooks of the mesh do not need, behind one dynamic import, like
 * hooks/deferred.ts: a session that begins, messages that wait, a repository with
 * settings. Locks, which every edit needs, are apart.
 */
import "./common.ts";
export { readRepositoryConfig, readUserConfig } from "./config/config_files.ts";
export { repositoryRoot } from "./config/repository_root.ts";
export { messagesFor } from "./messages/daemon_messages.ts";
export { offer } from "./messages/offer.ts";
export { beginSession } from "./sessions/begin_session.ts";
export { turnText } from "./turn_text.ts";
export { waitForMessages } from "./wake/waiter.ts";
