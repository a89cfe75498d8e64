import type { BusHandler } from '@action-platform/bus';
import { ActionError } from '@action-platform/contracts';
import { errorAnswer } from './answer.ts';

/** Keeps a replica from taking on more than it can do: what is over the limit is answered at once. */
export class InFlight {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The handler, under the limit. */
  limit(handler: BusHandler): BusHandler {
    return async (request) => {
      if (this.#count >= this.#limit) {
        return errorAnswer(new ActionError('action_platform_unavailable'), request);
      }
      this.#count++;
      try {
        return await handler(request);
      } finally {
        this.#count--;
      }
    };
  }
}
