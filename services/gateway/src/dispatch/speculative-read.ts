import type { Bus, BusReply } from '@action-platform/bus';
import type { Operation } from '@action-platform/contracts';
import type { AuthorizedCall } from './authorize.ts';
import { requestService } from './request-service.ts';

/**
 * Speculative execution of a read: its service works on it while grants authorizes it, so a call takes the time of the longer request
 * and not of both. The service gets the principal that the gateway expects, and the gateway releases the answer only if grants
 * establishes the same principal for this very call. So a wrong expectation costs a read, and shows nobody anything.
 */
export class SpeculativeRead {
  readonly #principal: string;
  readonly #reply: Promise<BusReply>;
  #isReleased = false;

  constructor(bus: Bus, operation: Operation, call: AuthorizedCall) {
    this.#principal = call.principal;
    this.#reply = requestService(bus, operation, call);
    // Without a release nobody handles a failure.
    this.#reply.catch(() => {});
  }

  /** The answer of the service, if it is the one for this principal. */
  release(principal: string): Promise<BusReply> | undefined {
    this.#isReleased = principal === this.#principal;
    return this.#isReleased ? this.#reply : undefined;
  }

  /** Cancels the rest of a long answer that was not released; the end of the exchange cancels a read without an answer. */
  end(): void {
    if (!this.#isReleased) void this.#reply.then(({ more }) => more?.return(undefined)).catch(() => {});
  }
}
