import { ActionError, type Credential, type Place, traceIdOf } from '@action-platform/contracts';
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
   * @param kind where its caller meets an error, and whether something may have been done when it fails.
   * @param work what is done for a caller who is known; what it throws becomes the answer.
   */
  async pass(
    exchange: Exchange,
    { place, effect }: { readonly place: Place; readonly effect: 'read' | 'write' },
    work: (credential: Credential) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const credential = await this.#authenticator.authenticate(exchange.authorization);
      if (this.#inFlight >= this.#maxInFlight) throw new ActionError('action_platform_unavailable');
      this.#inFlight++;
      exchange.whenDelivered(this.#leave);
      return await work(credential);
    } catch (error) {
      return errorAnswer(this.#refusal(error, effect, exchange), exchange.requestId, place);
    }
  }

  /** The catalogue's word for what was thrown. What is no ActionError is a failure of ours, and in the log. */
  #refusal(error: unknown, effect: 'read' | 'write', { requestId, traceparent }: Exchange): ActionError {
    if (error instanceof ActionError) return error;
    this.#log.error(
      { err: error, request_id: requestId, trace_id: traceIdOf(traceparent) },
      'request failed',
    );
    return new ActionError(
      effect === 'read' ? 'action_platform_unavailable' : 'action_infrastructure_failure',
    );
  }
}
