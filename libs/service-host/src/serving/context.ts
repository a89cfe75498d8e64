import type { FairnessKey } from '@action-platform/admission';
import type { ActionError, Principal, SessionClaims, Timed } from '@action-platform/contracts';
import type { Span } from '@opentelemetry/api';
import type { Logger } from '../logging/logger.ts';

/** A handler's knowledge of the call that it answers, besides the input. */
export interface CallContext extends Timed {
  readonly requestId: string;
  /** A log whose lines carry the request id. */
  readonly log: Logger;
  /**
   * When the requester stops waiting for the answer to begin, in milliseconds of `performance.now()`: now, when the
   * requester has left and the call only reads; infinity once the answer has begun.
   */
  readonly deadline: number;
  /** The fairness key of the call, here and in services that it calls. */
  readonly fairnessKey: FairnessKey;
  /** Says whose grant it has turned out to be made with, for its line of the log and its span: also when it is refused. */
  identify(holder: SessionClaims, grantId: string): void;
  /** Says that the answer repeats the first outcome of the idempotency key. */
  markReplayed(): void;
}

/** The context of an operation's handler. */
export interface OperationContext extends CallContext {
  /** On whose authority the call is made. */
  readonly principal: Principal;
  /**
   * On a scheduled call the ids that its routine grant lists of the operation's kind of data, to which a listing is
   * narrowed; undefined when nothing is limited.
   */
  readonly granted: readonly string[] | undefined;
}

/** The context of a call that the gateway makes for a signed-in Member. */
export interface MemberCallContext<Member> extends CallContext {
  readonly session: SessionClaims;
  /** The service's record of that Member, established before the input was read. */
  readonly member: Member;
}

/** How a call went; observers get it before the answer is given. */
export interface Outcome<Input = unknown> {
  /** The id of an operation, or the subject of another call. */
  readonly name: string;
  readonly requestId: string;
  /** Its place in the trace of its request, as it came (W3C Trace Context); the empty string when it has none. */
  readonly traceparent: string;
  /** Its span, with telemetry. */
  readonly span: Span | undefined;
  /** Whose call it is: that of a principal, of who is signed in, or of a grant's holder. */
  readonly caller: SessionClaims | undefined;
  /** The grant that it is made with. */
  readonly grantId: string | undefined;
  readonly principal: Principal | undefined;
  /** The name that the operator who made the call gives. */
  readonly operator: string | undefined;
  /** The input, once it was read. */
  readonly input: Input | undefined;
  /** Why the call was refused or failed; undefined when it succeeded. */
  readonly error: ActionError | undefined;
  readonly isReplay: boolean;
  /** The declared outcome of a result that is answered with 200 and is no success (`Operation.outcome`). */
  readonly operationOutcome: 'failed' | 'unknown' | undefined;
  /** How long it took from its arrival until its answer could begin, in milliseconds. */
  readonly durationMs: number;
  /** How much of that it waited for its turn. */
  readonly queueMs: number;
  /** Whether it was begun at all. */
  readonly isLetIn: boolean;
}

/** Gets the outcome of a call before the answer is given; when it rejects, the call has failed. */
export type Observer<Input = unknown> = (outcome: Outcome<Input>) => void | Promise<void>;

/** The output of a handler. A listing in it, or in the items of one, may be a stream of batches of its items. */
export type Result<Output> = {
  [Field in keyof Output]: Output[Field] extends readonly (infer Item)[]
    ? Output[Field] | AsyncIterable<readonly (Item | Result<Item>)[]>
    : Output[Field];
};
