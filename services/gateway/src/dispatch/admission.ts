import {
  AdaptiveLimit,
  byteBudget,
  ConcurrencyLimiter,
  type FairnessKey,
  Load,
} from '@action-platform/admission';
import {
  ActionError,
  type Credential,
  type Effect,
  failureOf,
  type Limits,
  type Principal,
  type ServiceName,
  traceIdOf,
} from '@action-platform/contracts';
import { failureLines, type Logger } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import type { Authenticator } from '../authentication/authenticator.ts';
import { type CallAudit, holderIn } from './call-audit.ts';
import { CallBytes } from './call-bytes.ts';
import { type Exchange, type RequestIds, whenEnded } from './exchange.ts';
import { ExpectedPrincipals } from './expected-principals.ts';
import type { FairnessKeys } from './fairness-keys.ts';

/** The least concurrency limit, however slow the platform is. */
const LEAST_IN_FLIGHT = 32;

interface PipelineOptions {
  readonly authenticator: Authenticator;
  readonly fairnessKeys: FairnessKeys;
  readonly audit: CallAudit;
  readonly log: Logger;
  readonly limits: Pick<Limits, 'GATEWAY_MAX_IN_FLIGHT' | 'GATEWAY_MAX_BYTES_IN_FLIGHT'>;
}

/** The facts about a call that do not depend on its caller. */
interface Kind {
  /** Where the face accepts other credentials than the HTTP interface. */
  readonly authenticator?: Authenticator | undefined;
  /** Whether it may have changed something when it fails. */
  readonly effect: Effect;
  /** The service that answers it; left out where the body names it, see {@link Caller.enter}. */
  readonly service?: ServiceName;
}

/** An authenticated caller whose call is in flight. */
export interface Caller {
  readonly credential: Credential;
  readonly fairnessKey: FairnessKey;
  /** The call's part of the byte budget. */
  readonly bytes: CallBytes;
  /** Makes the call one of this service, which then limits it too. Throws when calls of the service have no room. */
  readonly enter: (service: ServiceName) => void;
  /** Gives up the place of the call while it waits. False when there is no room for it afterwards. */
  readonly rest: (wait: () => Promise<void>) => Promise<boolean>;
}

/**
 * The request pipeline of every call of a Member or a grant. It authenticates the caller, which involves no other process, and
 * then admits the call by the caller's share of the calls and bytes in flight. So unauthenticated clients take no share, and the
 * gateway does not read their bodies. The pipeline has no queue: it refuses a call without room at once, its body unread.
 */
export class RequestPipeline {
  /** The principals that reads begin with before their authorization. */
  readonly expected = new ExpectedPrincipals();
  readonly #authenticator: Authenticator;
  readonly #audit: CallAudit;
  readonly #log: Logger;
  readonly #limit: AdaptiveLimit;
  readonly #calls: ConcurrencyLimiter;
  readonly #bytes: ConcurrencyLimiter;
  readonly #load = new Load();
  readonly #fairnessKeys: FairnessKeys;
  readonly #causes = failureLines();

  constructor({ authenticator, fairnessKeys, audit, log, limits }: PipelineOptions) {
    const most = limits.GATEWAY_MAX_IN_FLIGHT;
    this.#authenticator = authenticator;
    this.#fairnessKeys = fairnessKeys;
    this.#audit = audit;
    this.#log = log;
    this.#limit = new AdaptiveLimit({ most, least: LEAST_IN_FLIGHT });
    this.#calls = new ConcurrencyLimiter(most, () => this.#limit.current);
    this.#bytes = new ConcurrencyLimiter(byteBudget(limits.GATEWAY_MAX_BYTES_IN_FLIGHT));
    gauge('http.server.active_requests', () => this.#calls.taken);
  }

  /** How many calls are in flight. */
  get inFlight(): number {
    return this.#calls.taken;
  }

  /**
   * Authenticates and admits a call, and answers it; never rejects. Each face writes a refusal in its own form.
   *
   * @param work answers an admitted call; an error that it throws becomes the refusal.
   */
  async run<Answer>(
    exchange: Exchange,
    kind: Kind,
    work: (caller: Caller) => Promise<Answer>,
  ): Promise<Answer | ActionError> {
    const { context } = exchange;
    let caller: string | undefined;
    try {
      const authenticator = kind.authenticator ?? this.#authenticator;
      const credential = await authenticator.authenticate(exchange.authorization, exchange);
      context.credential = credential;
      caller = this.#fairnessKeys.of(credential).caller;
      const admitted = this.#admit(credential, exchange, kind.service);
      try {
        return await work(admitted);
      } finally {
        admitted.bytes.releaseBody();
      }
    } catch (error) {
      const refusal = this.#refusal(error, kind.effect, exchange);
      context.error = refusal;
      return refusal;
    } finally {
      this.#learn(exchange);
      if (caller !== undefined) this.#audit.ended({ exchange, effect: kind.effect, caller });
    }
  }

  /**
   * The refusal of a known caller beyond its share; undefined when it has room, or the caller is unknown. It must be cheap: under
   * overload, the refusals leave the rest of the CPU time to other calls.
   */
  shed(authorization: string | undefined, idsOf: () => RequestIds): ActionError | undefined {
    if (!this.#load.isTooMuch()) return undefined;
    const credential = this.#authenticator.known(authorization);
    if (credential === undefined) return undefined;
    const fairnessKey = this.#fairnessKeys.of(credential);
    if (this.#calls.hasRoom(fairnessKey)) return undefined;
    const refusal = this.#noRoom();
    this.#audit.shed(credential, fairnessKey.caller, idsOf(), refusal);
    return refusal;
  }

  /** Records an authorization. It is the same work for all callers, so its duration measures the load of the platform. */
  authorized(exchange: Exchange, durationMs: number): void {
    this.#limit.took('authority', durationMs);
    this.#learn(exchange);
  }

  /** Remembers a grant that grants has known for the first time; from now on its connection is that of its Workspace. */
  #learn({ context, belongsTo }: Exchange): void {
    const { credential, principal, holder } = context;
    if (credential?.kind !== 'grant' || this.#fairnessKeys.knows(credential.secretHash)) return;
    const found = principal === undefined ? holderIn(holder) : (JSON.parse(principal) as Principal);
    if (found === undefined) return;
    this.#fairnessKeys.learn(credential, found.workspaceId);
    belongsTo(found.workspaceId);
  }

  #admit(credential: Credential, exchange: Exchange, declared: ServiceName | undefined): Caller {
    const fairnessKey = this.#fairnessKeys.of(credential);
    let service: ServiceName | undefined = declared;
    if (credential.kind === 'session' || this.#fairnessKeys.knows(credential.secretHash))
      exchange.belongsTo(fairnessKey.workspace);
    if (!this.#calls.take(fairnessKey, service)) throw this.#noRoom();
    this.#load.accepted();
    let hasPlace = true;
    const leave = () => {
      if (hasPlace) this.#calls.leave(fairnessKey, service);
      hasPlace = false;
    };
    whenEnded(exchange, leave);
    const bytes = new CallBytes(this.#bytes, fairnessKey, service, () => this.#unavailable());
    const enter = (entered: ServiceName) => {
      if (!this.#calls.move(service, entered)) throw this.#noRoom();
      service = entered;
      bytes.enter(entered);
    };
    const rest = async (wait: () => Promise<void>) => {
      leave();
      await wait();
      hasPlace = !exchange.ended.aborted && this.#calls.take(fairnessKey, service);
      return hasPlace;
    };
    return { credential, fairnessKey, bytes, enter, rest };
  }

  #noRoom(): ActionError {
    this.#limit.wanted();
    return this.#unavailable();
  }

  #unavailable(): ActionError {
    return new ActionError('action_platform_unavailable', { retryAfter: this.#load.refused() });
  }

  /** The entry of the catalogue for an error. An error other than an ActionError is a failure of the platform, and logged. */
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
