import type { Effect } from '@action-platform/contracts';
import type { ByteCredit } from './long-answers/protocol.ts';

/** What goes with a request. */
export interface BusRequestOptions {
  /** How long to wait for the answer to begin, in milliseconds. */
  timeoutMs: number;
  /** What the request does: a `write`, unless it is said that it only reads. */
  effect?: Effect;
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Takes what withdraws the question, to be called when nobody waits for its answer any more: nothing more is sent for it,
   * it fails at once, and who works on it is told. Calling it later, or again, does nothing.
   */
  whenAbandoned?: ((withdraw: () => void) => void) | undefined;
  /** Gives the bytes by which a long answer may be ahead of its consumer; without it the answer may have a full window. */
  byteCredit?: ByteCredit | undefined;
}
