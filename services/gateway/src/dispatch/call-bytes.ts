import { type ConcurrencyLimiter, countedBytes, type FairnessKey } from '@action-platform/admission';
import type { ByteCredit } from '@action-platform/bus';

/** The bytes that one call holds of the gateway's byte budget: its body, until it is dispatched, and its answer on the way. */
export class CallBytes implements ByteCredit {
  readonly #budget: ConcurrencyLimiter;
  readonly #fairnessKey: FairnessKey;
  #service: string | undefined;
  readonly #refusal: () => Error;
  #body = 0;
  #hasEnded = false;

  /** @param refusal makes the error of a body for which there is no room. */
  constructor(
    budget: ConcurrencyLimiter,
    fairnessKey: FairnessKey,
    service: string | undefined,
    refusal: () => Error,
  ) {
    this.#budget = budget;
    this.#fairnessKey = fairnessKey;
    this.#service = service;
    this.#refusal = refusal;
  }

  take(bytes: number): boolean {
    return this.#budget.take(this.#fairnessKey, this.#service, bytes);
  }

  giveBack(bytes: number): void {
    this.#budget.leave(this.#fairnessKey, this.#service, bytes);
  }

  /** Counts the bytes for another service from now on. Throws when that has no room. */
  enter(service: string): void {
    if (!this.#budget.move(this.#service, service, this.#body)) throw this.#refusal();
    this.#service = service;
  }

  /** Takes the bytes of a body that has, or has grown to, this size. Throws when the budget has no room. */
  holdBody(bytes: number): void {
    const more = countedBytes(bytes) - this.#body;
    if (more > 0) this.holdMore(more);
  }

  /** Takes further bytes, of what a call collects for its answer. Throws when the budget has no room, or the call has ended. */
  holdMore(bytes: number): void {
    if (this.#hasEnded || !this.take(bytes)) throw this.#refusal();
    this.#body += bytes;
  }

  /** Holds the bytes for longer than the call. Returns the function that gives them back. */
  keepBody(): () => void {
    const bytes = this.#body;
    this.#body = 0;
    return () => {
      if (bytes > 0) this.giveBack(bytes);
    };
  }

  /** Gives the bytes back at the end of the call. Work that outlives the call holds no more. */
  end(): void {
    this.keepBody()();
    this.#hasEnded = true;
  }
}
