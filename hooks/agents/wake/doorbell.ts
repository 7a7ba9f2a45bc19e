/**
 * What a doorbell says. Fixed, because Codex shows it as the user's words: the
 * message itself comes from the hook that this prompt runs, with its label.
 */
export const DOORBELL =
  "(Signet: a message from another agent is waiting; it follows in the context of this turn.)";
