import type { BusReply } from '@action-platform/bus';

/**
 * Speculative execution of a read: its service works on it while grants authorizes it, so a call takes the time of the longer request
 * and not of both. The service gets the principal that the gateway expects, and the gateway releases the answer only if grants
 * establishes the same principal for this very call. So a wrong expectation costs a read, and shows nobody anything.
 */
export class SpeculativeRead {
  readonly #reply: Promise<BusReply>;
  readonly #principal: string;
  #isReleased = false;

  /** @param principal with which the service was requested. */
  constructor(reply: Promise<BusReply>, principal: string) {
    this.#reply = reply;
    this.#principal = principal;
    // Nobody awaits the reply of a read that is never released, so its failure ends here.
    reply.catch(() => {});
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
