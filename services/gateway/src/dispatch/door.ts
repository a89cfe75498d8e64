import { AdaptiveLimit, ConcurrencyLimiter, type FairnessKey, Load } from '@action-platform/admission';
import {
  ActionError,
  type Credential,
  type Effect,
  failureOf,
  type Place,
  type ServiceName,
  traceIdOf,
} from '@action-platform/contracts';
import { failureLines, type Logger } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import type { Authenticator } from '../authentication/authenticator.ts';
import { type Answer, errorAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { FairnessKeys } from './fairness-keys.ts';

/** How many calls may be in flight at least, however slow everything is. */
const LEAST_IN_FLIGHT = 32;

/** What the door is made of. */
interface DoorOptions {
  readonly authenticator: Authenticator;
  readonly log: Logger;
  /** How many calls may be in flight at most; more are told to come again. */
  readonly maxInFlight: number;
}

/** What is known of a call before it is let in. */
interface Kind {
  /** Where its caller meets an error. */
  readonly place: Place;
  /** Whether something may have been done when it fails. */
  readonly effect: Effect;
  /** The service that answers it. */
  readonly service: ServiceName;
}

/** A caller who was let in. */
export interface Caller {
  readonly credential: Credential;
  readonly fairnessKey: FairnessKey;
}

/**
 * The one way in for every call of a Member or a grant. It finds out who calls, which takes no other part of the
 * platform. Only then does it give the call a place among those in flight, of which everybody gets a share. So nobody
 * unknown holds a place or makes the gateway read a body. Nothing waits here: who finds no place is told so at once,
 * with what was sent unread. Whatever becomes of the call is an answer.
 */
export class Door {
  readonly #authenticator: Authenticator;
  readonly #log: Logger;
  readonly #limit: AdaptiveLimit;
  readonly #places: ConcurrencyLimiter;
  readonly #load = new Load();
  readonly #fairnessKeys = new FairnessKeys();
  readonly #causes = failureLines();

  constructor({ authenticator, log, maxInFlight }: DoorOptions) {
    this.#authenticator = authenticator;
    this.#log = log;
    this.#limit = new AdaptiveLimit({ most: maxInFlight, least: LEAST_IN_FLIGHT });
    this.#places = new ConcurrencyLimiter(maxInFlight, () => this.#limit.current);
    gauge('http.server.active_requests', () => this.#places.taken);
  }

  /** How many calls are in flight. */
  get inFlight(): number {
    return this.#places.taken;
  }

  /**
   * Lets a call in and answers it; never rejects.
   *
   * @param work what is done for a caller who is known; what it throws becomes the answer.
   */
  async pass(exchange: Exchange, kind: Kind, work: (caller: Caller) => Promise<Answer>): Promise<Answer> {
    try {
      const credential = await this.#authenticator.authenticate(exchange.authorization, exchange);
      exchange.findings.credential = credential;
      const fairnessKey = this.#fairnessKeys.of(credential);
      exchange.belongsTo(fairnessKey.workspace);
      this.#enter(fairnessKey, kind.service);
      exchange.whenDelivered(() => this.#places.leave(fairnessKey, kind.service));
      return await work({ credential, fairnessKey });
    } catch (error) {
      const refusal = this.#refusal(error, kind.effect, exchange);
      exchange.findings.error = refusal;
      return errorAnswer(refusal, exchange.requestId, kind.place);
    }
  }

  /**
   * Why there is no place just now for a caller who is known already; undefined when there is one, or more would have to
   * be found out. It costs next to nothing: when very many come, that decides how many others can be served.
   */
  turnsAway(authorization: string | undefined): ActionError | undefined {
    if (!this.#load.isTooMuch()) return undefined;
    const credential = this.#authenticator.known(authorization);
    if (credential === undefined || this.#places.hasRoom(this.#fairnessKeys.of(credential))) return undefined;
    return this.#noPlace();
  }

  /**
   * A caller's authority was established: how long that took tells how busy the platform is, as it is the same for all.
   *
   * @param principal JSON text.
   */
  authorized({ credential }: Caller, principal: string, durationMs: number): void {
    this.#limit.took('authority', durationMs);
    this.#fairnessKeys.learn(credential, principal);
  }

  #enter(fairnessKey: FairnessKey, service: string): void {
    if (this.#places.take(fairnessKey, service)) {
      this.#load.accepted();
    } else {
      throw this.#noPlace();
    }
  }

  #noPlace(): ActionError {
    this.#limit.wanted();
    return new ActionError('action_platform_unavailable', { retryAfter: this.#load.refused() });
  }

  /** The catalogue's word for what was thrown. What is no ActionError is a failure of ours, and in the log. */
  #refusal(error: unknown, effect: Effect, { requestId, traceparent }: Exchange): ActionError {
    if (error instanceof ActionError) return error;
    if (this.#causes.take())
      this.#log.error(
        { err: error, request_id: requestId, trace_id: traceIdOf(traceparent) },
        'request failed',
      );
    return new ActionError(failureOf(effect));
  }
}
