import type { OutboundAnswer } from '@action-platform/outbound-http';

/** Why an endpoint took no decision, in the words of docs/custom-operations.md, which callers read. */
export type Cause =
  | NonNullable<OutboundAnswer['failure']>
  | `status_${number}`
  | 'no_json_object'
  | 'unreadable_answer'
  | 'rpc_error'
  | 'tool_changed'
  | 'connector_removed'
  | 'credential_refused'
  | 'credential_unreadable'
  | 'sent_once'
  | 'calls_under_way'
  | 'equal_call_under_way'
  | 'no_signing_key';

/** Nothing was done, and why. */
export interface Unavailable {
  readonly is: 'unavailable';
  readonly cause: Cause;
}

/** The outcome of a request whose time is up before it is sent. */
export const TOO_LATE = { is: 'unavailable', cause: 'timeout' } as const satisfies Unavailable;

/** Resolves when the time of a request is up. */
export function timeUp(signal: AbortSignal): Promise<typeof TOO_LATE> {
  if (signal.aborted) return Promise.resolve(TOO_LATE);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(TOO_LATE), { once: true });
  });
}
