import type { Timed } from './timed.ts';

/**
 * Where a change came from. A service stores it with what a call changed, so that each change names its request, its caller, and the
 * grant and the run that it was made with.
 */
export interface Origin {
  readonly request_id: string;
  /** The gateway's own id of the call, when its caller chose `request_id`. */
  readonly call_id?: string;
  /** The Member on whose behalf the call ran; absent on an operator's. */
  readonly user_id?: string;
  readonly grant_id?: string;
  /** The run of a routine grant. */
  readonly invocation_id?: string;
  readonly approval_id?: string;
  /** The name that an operator gave, unverified. */
  readonly operator?: string;
}

/** Work that stores changes with their origin. */
export interface Originated extends Timed {
  readonly origin: Origin;
}
