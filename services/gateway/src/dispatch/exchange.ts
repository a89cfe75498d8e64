import type { Credential } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { FoundCustomOperation } from '@action-platform/contracts/operations';

export interface RequestIds {
  readonly requestId: string;
  /** The gateway's own id, when the caller chose the request id. */
  readonly callId?: string | undefined;
}

/** A request and its answer, independent of the protocol. */
export interface Exchange extends RequestIds {
  /** The span context of the request (W3C Trace Context), to be passed on. */
  readonly traceparent: string;
  /** Continues the trace of a `traceparent` from the body, unless a header named one already. Ignores an invalid one. */
  readonly joinTrace: (traceparent: string) => void;
  /** The deadline of the answer, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** The value of an Authorization header (RFC 6750, section 2.1). */
  readonly authorization: string | undefined;
  /** Assigns its connection to the caller's Workspace. */
  readonly belongsTo: (owner: string) => void;
  readonly context: RequestContext;
  /** The route of the request, such as `POST /api/v1/operation-grants`, with the names of its parameters. */
  readonly route: () => string;
  /**
   * Aborted, with a {@link Delivery} as the reason, when the answer is delivered or the caller has disconnected: until then the call is in
   * flight.
   */
  readonly ended: AbortSignal;
}

/** Calls a function when an exchange ends, or now when it has ended. */
export function whenEnded({ ended }: Pick<Exchange, 'ended'>, leave: (delivery: Delivery) => void): void {
  if (ended.aborted) leave(ended.reason);
  else ended.addEventListener('abort', () => leave(ended.reason), { once: true });
}

export interface Delivery {
  readonly status: number;
  /** Whether the caller got the whole answer, as far as this side knows. */
  readonly isWhole: boolean;
}

/** The facts about a request for its span, its log line and its metrics. */
export interface RequestContext {
  /** The id of the called operation, if it exists. */
  operation?: string;
  /** The message of the Model Context Protocol, when the request has one. */
  mcp?: { readonly method: string; readonly version: string };
  /** The caller, from the token. */
  credential?: Credential;
  /** The Workspace of the request, as far as this gateway knows it. */
  workspaceId?: string | undefined;
  /** The principal, as the grants service wrote it. */
  principal?: string;
  /** The holder of the grant in use, as the grants service wrote it. */
  holder?: string | undefined;
  /** The custom operation that the call is for, as grants found it, and as the call wrote it. */
  custom?: FoundCustomOperation & { readonly text: string };
  /** The run that the request names. */
  invocationId?: string;
  /** The ids that the call named or made, as its service wrote them. */
  targets?: string;
  /** Whether the outcome is that of an earlier call. */
  isReplay?: boolean;
  /** The declared outcome of an answer that is no success. */
  outcome?: 'failed' | 'unknown';
  error?: ActionError;
  /** How long the rest of a body took to arrive after the head, in milliseconds. */
  bodyMs?: number;
  /** How long the request waited for events, in milliseconds; `waitedMs` is no part of its duration. */
  waitedMs?: number;
  /** Whether the answer is a stream of events, which its reader ends. */
  isStream?: true;
  /** How long grants took to establish authority, and the service to answer, in milliseconds. */
  authorityMs?: number;
  serviceMs?: number;
}

/** Adds the duration of a part of a request to its context, also when the part fails. */
export async function timed<Result>(
  context: RequestContext,
  part: 'bodyMs' | 'authorityMs' | 'serviceMs',
  work: () => Promise<Result>,
): Promise<Result> {
  const begunAt = performance.now();
  try {
    return await work();
  } finally {
    context[part] = (context[part] ?? 0) + performance.now() - begunAt;
  }
}

/** An incomplete or malformed request: the caller has to correct its form, not its content. */
export class MalformedRequest extends ActionError {
  constructor(message: string) {
    super('invalid_request', { message });
  }
}
