import { ServerCallContext } from "@a2a-js/sdk/server";

const SIGNAL = "signal";

/** Who calls, in which version, and until when somebody listens. */
export function callerContext(
  client: string,
  options: { requestedVersion?: string; signal: AbortSignal },
): ServerCallContext {
  return new ServerCallContext({
    user: { isAuthenticated: true, userName: client },
    requestedVersion: options.requestedVersion,
    state: new Map([[SIGNAL, options.signal]]),
  });
}

export function clientOf(context: ServerCallContext): string {
  return context.user?.userName ?? "";
}

/** Aborted when the client is gone. */
export function signalOf(context: ServerCallContext): AbortSignal | undefined {
  const signal = context.state.get(SIGNAL);
  return signal instanceof AbortSignal ? signal : undefined;
}
