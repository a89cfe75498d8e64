import type { Headers } from './headers.ts';

/** An answer in one message. */
export interface WholeAnswer {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The answer of a request that failed, without a status. */
export const FAILED: WholeAnswer = { headers: {}, body: new Uint8Array() };
