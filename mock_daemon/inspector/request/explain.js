const FAULTS = {
  status: ({ status }) => `A scripted fault answered ${status}; the request had no effect.`,
  body: () => "A scripted fault replaced the response; the request had no effect.",
  redirect: ({ status }) =>
    `A scripted fault answered with a redirect (${status}); the request had no effect.`,
  truncate: () => "A scripted fault cut the response off, then broke the connection.",
  reset: () => "A scripted fault closed the connection without a response.",
  hang: () => "A scripted fault never answered.",
  drip: () => "A scripted fault sent the response in small pieces.",
  delay: ({ ms }) => `A scripted fault delayed the response (${Math.round(ms)} ms).`,
};

/** What a result without an error means, where the word alone does not say it. */
const OUTCOMES = {
  stub: "This session already received its context, so the response has only a short reminder.",
  noise: "The session looks like a test, so the daemon drops its summary.",
  skipped: "The daemon had nothing to do: another hook did this for the session.",
  bypassed: "Signet is switched off for this session.",
  deduped: "The daemon has seen this before and did not store it again.",
};

function unauthorized({ headers }, reason) {
  const sent = headers.authorization;
  if (sent === undefined) {
    return "The request has no key. Set SIGNET_API_KEY, or run the connector's setup to store one.";
  }
  const key = sent.replace(/^Bearer /i, "");
  return /expired|revoked/i.test(reason)
    ? `The key ${key} is no longer valid. Create a new one.`
    : `The daemon does not accept the key ${key}. Check that it was created on this daemon.`;
}

function forbidden({ agent }, reason) {
  const bound = /scope restricted to agent '(.+)'/.exec(reason)?.[1];
  if (bound !== undefined) {
    return `The key belongs to agent ${bound}, and the request is for agent ${agent}. Use a key of ${agent}, or set the agent to ${bound}.`;
  }
  if (/scope restricted to project/.test(reason)) {
    return "The key is limited to other projects than the one in the request.";
  }
  if (/lacks '.+' permission/.test(reason)) return "Use a key whose role has this permission.";
  if (/other sites/.test(reason)) {
    return "A web page made this request. Without keys, /api is only for programs.";
  }
  return "The key is valid, but does not allow this request.";
}

const HINTS = {
  400: ({ method, path }) =>
    `The daemon could not use the request. The contract of ${method} ${path} names its fields.`,
  401: unauthorized,
  403: forbidden,
  404: (_, reason, { profile }) =>
    /^404/.test(reason)
      ? `This daemon (profile ${
        profile ?? "design"
      }) has no such route. Check the path and the daemon's version.`
      : "The route exists, but what the request names does not.",
  409: (_, reason) => {
    const owner = /claimed by (\S+) path/.exec(reason)?.[1];
    return owner === undefined
      ? "Another request changed the same thing first."
      : `The ${owner} path sent hooks for this session first, and a session has one path. Two connectors are installed for this harness: remove one of them.`;
  },
  413: () => "The body is larger than the daemon accepts.",
  422: () =>
    "The daemon runs with --strict. Fix the warnings below; without --strict it would ignore these fields.",
  429: () =>
    "Wait until the limit ends, then try again. A connector that repeats an invalid key causes this.",
  503: () => "The daemon is stopping, or cannot serve this now. Connectors keep the event and send it later.",
};

function hintFor(request, reason, info) {
  const { status, body, truncated } = request;
  // Signet answers 500 to a body that is not JSON on some routes, and 400 on others.
  if ((status === 400 || status === 500) && typeof body === "string" && !truncated) {
    return "The payload is not a JSON object. Look at the end of it: a cut-off body is a common cause.";
  }
  return HINTS[status]?.(request, reason, info) ??
    (status >= 500 ? "The daemon failed; its log has more." : "");
}

/**
 * Why a request failed, for the top of its details: a title, what the daemon answered, and what to do.
 * Undefined if there is nothing to explain.
 */
export function explain(request, info = {}) {
  const { status, answer, outcome, fault } = request;
  const reason = typeof answer === "string" ? answer.trim().slice(0, 300) : answer?.error;
  const text = typeof reason === "string" ? reason : "";
  if (fault !== undefined) {
    const lost = fault !== "delay" && fault !== "drip";
    return {
      tone: lost ? "bad" : "warn",
      title: FAULTS[fault]?.(request) ?? `A scripted fault: ${fault}.`,
      reason: status >= 400 ? text : "",
      hint: "This fault was added with POST /__mock/script. DELETE /__mock/script removes the rest.",
    };
  }
  if (status >= 400) {
    return {
      tone: "bad",
      title: `${status} ${NAMES[status] ?? (status < 500 ? "Refused" : "Server error")}`,
      reason: text,
      hint: hintFor(request, text, info),
    };
  }
  const meaning = OUTCOMES[outcome];
  return meaning === undefined
    ? undefined
    : { tone: "quiet", title: `Outcome: ${outcome}`, reason: "", hint: meaning };
}

const NAMES = {
  400: "Bad request",
  401: "Not authenticated",
  403: "Not allowed",
  404: "Not found",
  409: "Conflict",
  413: "Too large",
  422: "Rejected by --strict",
  429: "Too many requests",
  500: "The daemon failed",
  503: "Not available",
};
