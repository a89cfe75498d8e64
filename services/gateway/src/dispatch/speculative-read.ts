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
  #cancel: (() => void) | undefined;
  #isReleased = false;

  constructor(bus: Bus, operation: Operation, call: AuthorizedCall) {
    this.#principal = call.principal;
    this.#reply = requestService(bus, operation, call, (cancel) => {
      this.#cancel = cancel;
    });
    // Without a release nobody handles a failure.
    this.#reply.catch(() => {});
  }

  /** The answer of the service, if it is the one for this principal. */
  release(principal: string): Promise<BusReply> | undefined {
    this.#isReleased = principal === this.#principal;
    return this.#isReleased ? this.#reply : undefined;
  }

  /** Cancels a read that was not released. */
  end(): void {
    if (this.#isReleased) return;
    this.#cancel?.();
    // The service sends no more of a long answer that has begun.
    void this.#reply.then(({ more }) => more?.return(undefined)).catch(() => {});
  }
}
