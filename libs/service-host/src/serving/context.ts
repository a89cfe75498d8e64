import type { FairnessKey } from '@action-platform/admission';
import type { Principal } from '@action-platform/contracts/authority';
import type { Origin, Originated } from '@action-platform/contracts/calls';
import type { ActionError } from '@action-platform/contracts/errors';
import type { SessionClaims } from '@action-platform/contracts/resources';
import type { Span } from '@opentelemetry/api';
import type { Logger } from '../logging/logger.ts';
import type { BulkTurns } from './bulk-turns.ts';

/** The call that a handler answers, besides its input. */
export interface CallContext extends Originated {
  readonly requestId: string;
  /** See `busHeaders.callId`. */
  readonly callId: string | undefined;
  /** The `traceparent` of its requester (W3C Trace Context); the empty string without one. */
  readonly traceparent: string;
  /** A log whose lines have the request id. */
  readonly log: Logger;
  /**
   * The requester waits until then for the answer to begin, in milliseconds of `performance.now()`. `deadline` is 0 when the requester has
   * left and no write has begun, and infinity once the answer has begun.
   */
  readonly deadline: number;
  /** The fairness key of the call, here and in services that it calls. */
  readonly fairnessKey: FairnessKey;
  /** Names the grant of the call and its holder, for its log line and its span; also of a call that is refused. */
  identify(holder: SessionClaims, grant: { readonly id: string; readonly name: string | null }): void;
  /** Adds a header to the answer, for its requester. */
  addHeader(name: string, value: string): void;
  /** Marks the answer as a repetition of the first outcome of the idempotency key. */
  markReplayed(): void;
}

/** The context of an operation's handler. */
export interface OperationContext extends CallContext {
  /** The principal on whose behalf the call runs. */
  readonly principal: Principal;
  /**
   * With a routine grant, or that of an agent, the ids that it lists of the operation's kind of data, to which a listing is
   * narrowed; undefined when nothing is limited.
   */
  readonly granted: readonly string[] | undefined;
  /** The turns in which the handler of a bulk call works on its items (`Operation.isBulk`). */
  readonly turns: BulkTurns;
}

/** The context of a route's handler. */
export interface MemberContext extends CallContext {
  /** The signed-in user, whom the service found to be a Member before it read the input. */
  readonly session: SessionClaims;
}

/** A call with its outcome, for observers. */
export interface ObservedCall<Input = unknown> {
  /** The id of the call. */
  readonly name: string;
  readonly requestId: string;
  /** The `traceparent` of its requester (W3C Trace Context); the empty string without one. */
  readonly traceparent: string;
  /** The call's span, when the process exports telemetry. */
  readonly span: Span | undefined;
  /** The user and Workspace of its principal, its session or its grant's holder. */
  readonly caller: SessionClaims | undefined;
  /** The Workspace whose share of the process it takes; undefined where no caller names one. */
  readonly workspaceId: string | undefined;
  /** The grant that it is made with. */
  readonly grantId: string | undefined;
  readonly principal: Principal | undefined;
  /** The name that the operator who made the call gives. */
  readonly operator: string | undefined;
  /** The origin of its changes. */
  readonly origin: Origin;
  /** The validated input; undefined when the body was not read. */
  readonly input: Input | undefined;
  /** The refusal or failure; undefined when it succeeded. */
  readonly error: ActionError | undefined;
  /** The ids that it named or made, for the audit log. */
  readonly targets: readonly string[];
  readonly isReplay: boolean;
  /** The declared outcome of a result that is answered with 200 and is no success (`Operation.outcome`). */
  readonly operationOutcome: 'failed' | 'unknown' | undefined;
  /** How long the call took from its arrival until its answer could begin, in milliseconds. */
  readonly durationMs: number;
  /** How much of that it waited for admission. */
  readonly queueMs: number;
  /** Whether the call was admitted. */
  readonly wasAdmitted: boolean;
}

/** Receives the outcome of a call before the answer is given; when the observer rejects, the call has failed. */
export type Observer<Input = unknown> = (outcome: ObservedCall<Input>) => void | Promise<void>;

/** The output of a handler. A listing in it, or in the items of one, may be a stream of batches of its items. */
export type Result<Output> = {
  [Field in keyof Output]: Output[Field] extends readonly (infer Item)[]
    ? Output[Field] | AsyncIterable<readonly (Item | Result<Item>)[]>
    : Output[Field];
};
