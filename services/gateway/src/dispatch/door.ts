import { ActionError, type Credential, type Place } from '@action-platform/contracts';
import type { Logger } from '@action-platform/service-host';
import type { Authenticator } from '../authentication/authenticator.ts';
import { type Answer, errorAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** What the door is made of. */
interface DoorOptions {
  readonly authenticator: Authenticator;
  readonly log: Logger;
  /** How many calls may be in flight; more are told to come again. */
  readonly maxInFlight: number;
}

/**
 * The one way in for every call of a Member or a grant. It finds out who calls, which takes no other part of the
 * platform, and only then gives the call a place among those in flight: nobody unknown holds a place or makes the
 * gateway read a body. Whatever becomes of the call is an answer.
 */
export class Door {
  readonly #authenticator: Authenticator;
  readonly #log: Logger;
  readonly #maxInFlight: number;
  readonly #leave = () => {
    this.#inFlight--;
  };
  #inFlight = 0;

  constructor({ authenticator, log, maxInFlight }: DoorOptions) {
    this.#authenticator = authenticator;
    this.#log = log;
    this.#maxInFlight = maxInFlight;
  }

  /**
   * Lets a call in and answers it; never rejects.
   *
   * @param place where its caller meets an error.
   * @param work what is done for a caller who is known; what it throws becomes the answer.
   */
  async pass(
    exchange: Exchange,
    place: Place,
    work: (credential: Credential) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const credential = await this.#authenticator.authenticate(exchange.authorization);
      if (this.#inFlight >= this.#maxInFlight) throw new ActionError('action_platform_unavailable');
      this.#inFlight++;
      exchange.whenDelivered(this.#leave);
      return await work(credential);
    } catch (error) {
      if (!(error instanceof ActionError)) this.#log.error({ err: error }, 'request failed');
      return errorAnswer(error, exchange.requestId, place);
    }
  }
}
