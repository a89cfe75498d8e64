import type { Effect } from '@action-platform/contracts';
import type { ByteCredit } from '../long-answers/protocol.ts';

/** How a request is sent. */
export interface BusRequestOptions {
  /** How long to wait for the answer to begin, in milliseconds. */
  timeoutMs: number;
  /** `write` by default. */
  effect?: Effect;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Aborted when its caller leaves: the request fails at once, and the replica that works on it stops. */
  signal?: AbortSignal | undefined;
  /** Gives the bytes by which a long answer may be ahead of its consumer; without it the answer may have a full window. */
  byteCredit?: ByteCredit | undefined;
}
