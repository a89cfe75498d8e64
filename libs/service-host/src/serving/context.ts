import type { Principal } from '@action-platform/contracts';
import type { Logger } from '../process/logging.ts';

/** What a handler knows about the call it answers, besides its input. */
export interface CallContext {
  readonly requestId: string;
  /** A log whose lines carry the request id. */
  readonly log: Logger;
  /** When the requester stops waiting, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Says that the answer repeats the first outcome of the idempotency key. */
  markReplayed(): void;
}

/** What the handler of an operation knows. */
export interface OperationContext extends CallContext {
  /** On whose authority the call is made. */
  readonly principal: Principal;
}

/**
 * What a handler returns: the output, in which a listing may be an AsyncIterable that is streamed, and so may
 * the listings in its items.
 */
export type Result<Output> = {
  [Field in keyof Output]: Output[Field] extends readonly (infer Item)[]
    ? Output[Field] | AsyncIterable<Item | Result<Item>>
    : Output[Field];
};
