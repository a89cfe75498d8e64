import {
  AdaptiveLimit,
  byteBudget,
  ConcurrencyLimiter,
  type FairnessKey,
  workspaceIn,
} from '@action-platform/admission';
import { traceIdOf } from '@action-platform/contracts/bus';
import type { Call, Credential } from '@action-platform/contracts/calls';
import { ActionError, type Effect, failureOf } from '@action-platform/contracts/errors';
import type { Limits } from '@action-platform/contracts/limits';
import type { ServiceName } from '@action-platform/contracts/services';
import { failureLines, type Logger } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import type { Authenticator } from '../authentication/authenticator.ts';
import { type CallAudit, holderIn } from './call-audit.ts';
import { CallBytes } from './call-bytes.ts';
import { type Exchange, type RequestIds, whenEnded } from './exchange.ts';
import type { FairnessKeys } from './fairness-keys.ts';
import { LimitedWorkspaces } from './limited-workspaces.ts';
import { principalIn } from './principal-in.ts';

/** How long after a refusal further requests are refused unread, in milliseconds, while their callers have no room. */
const SHEDDING_MS = 1_000;

/** The least concurrency limit, however slow the platform is. */
const LEAST_IN_FLIGHT = 32;

interface AdmissionOptions {
  readonly authenticator: Authenticator;
  readonly fairnessKeys: FairnessKeys;
  readonly audit: CallAudit;
  readonly log: Logger;
  readonly limits: Pick<Limits, 'GATEWAY_MAX_IN_FLIGHT' | 'GATEWAY_MAX_BYTES_IN_FLIGHT'>;
}

/** A call whose caller is unknown. */
interface ArrivingCall {
  /** Where its protocol accepts other credentials than the HTTP interface. */
  readonly authenticator?: Authenticator | undefined;
  /** Whether the call may have changed something when it fails; where the body names what is called, see {@link Caller.enter}. */
  readonly effect: Effect;
  readonly service?: ServiceName;
}

/** The refusal of a request that is not read. */
export interface Shed {
  readonly refusal: ActionError;
  /** The Workspace of its caller, as far as this gateway knows it. */
  readonly workspaceId: string | undefined;
  /** Whether the limit of the Workspace refused it. */
  readonly isLimited: boolean;
}

/** An authenticated caller whose call is in flight. */
export interface Caller {
  readonly credential: Credential;
  readonly fairnessKey: FairnessKey;
  readonly bytes: CallBytes;
  /** The effect of the call, as far as it is known. */
  effect: Effect;
  /** Makes the call one of a service, which then limits it too. Throws when calls of the service have no room, or the caller has left. */
  readonly enter: (called: Pick<Call, 'effect' | 'service'>) => void;
  /** Gives up the slot of the call while it waits. False when there is no room for it afterwards. */
  readonly waitWithoutSlot: (wait: () => Promise<void>) => Promise<boolean>;
}

/**
 * Admits every call of a Member or a grant: authenticates the caller, which involves no other process, and then
 * admits the call by the caller's share of the calls and bytes in flight. So unauthenticated clients take no share, and the
 * gateway does not read their bodies. There is no queue: a call without room is refused at once, its body unread.
 */
export class CallAdmission {
  readonly #authenticator: Authenticator;
  readonly #audit: CallAudit;
  readonly #log: Logger;
  readonly #limit: AdaptiveLimit;
  readonly #calls: ConcurrencyLimiter;
  readonly #bytes: ConcurrencyLimiter;
  /** When a call without room was last refused, in milliseconds of `performance.now()`. */
  #refusedAt = Number.NEGATIVE_INFINITY;
  readonly #fairnessKeys: FairnessKeys;
  readonly #causes = failureLines();
  readonly #limited = new LimitedWorkspaces();

  constructor({ authenticator, fairnessKeys, audit, log, limits }: AdmissionOptions) {
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

  get inFlight(): number {
    return this.#calls.taken;
  }

  /**
   * Authenticates and admits a call, and answers it; never rejects. Each protocol writes a refusal in its own form.
   *
   * @param work answers an admitted call; an error that it throws becomes the refusal.
   */
  async run<Result>(
    exchange: Exchange,
    arriving: ArrivingCall,
    work: (caller: Caller) => Promise<Result>,
  ): Promise<Result | ActionError> {
    const { context } = exchange;
    let fairnessKey: FairnessKey | undefined;
    let caller: Caller | undefined;
    try {
      const authenticator = arriving.authenticator ?? this.#authenticator;
      const credential = await authenticator.authenticate(exchange.authorization, exchange);
      context.credential = credential;
      fairnessKey = this.#fairnessKeys.of(credential);
      caller = this.#admit(credential, fairnessKey, exchange, arriving);
      try {
        return await work(caller);
      } finally {
        caller.bytes.end();
      }
    } catch (error) {
      const refusal = this.#refusal(error, caller?.effect ?? arriving.effect, exchange);
      context.error = refusal;
      return refusal;
    } finally {
      this.#learn(exchange);
      const workspaceId = context.credential && workspaceIn(this.#fairnessKeys.of(context.credential));
      context.workspaceId = workspaceId;
      const limitedForMs = context.error?.limitedForMs;
      if (workspaceId !== undefined && limitedForMs !== undefined)
        this.#limited.add(workspaceId, limitedForMs);
      const { effect } = caller ?? arriving;
      if (fairnessKey !== undefined) this.#audit.ended(exchange, effect, fairnessKey.caller);
    }
  }

  /**
   * The refusal of a known caller beyond its share, or the limit of its Workspace; undefined when it has room, or the caller is unknown.
   * `shed` has to be cheap: under overload, the refusals leave the rest of the CPU time to other calls.
   */
  shed(authorization: string | undefined, idsOf: () => RequestIds): Shed | undefined {
    const isTooMuch = performance.now() < this.#refusedAt + SHEDDING_MS;
    if (!isTooMuch && this.#limited.isEmpty) return undefined;
    const credential = this.#authenticator.known(authorization);
    if (credential === undefined) return undefined;
    const fairnessKey = this.#fairnessKeys.of(credential);
    const isLimited = this.#limited.has(fairnessKey.workspace);
    if (!isLimited && (!isTooMuch || this.#calls.hasRoom(fairnessKey))) return undefined;
    const refusal = isLimited ? new ActionError('action_platform_unavailable') : this.#noRoom();
    const holder = this.#fairnessKeys.holderOf(credential);
    this.#audit.shed({ credential, holder }, fairnessKey.caller, idsOf(), refusal);
    return { refusal, workspaceId: workspaceIn(fairnessKey), isLimited };
  }

  /** Records an authorization. Every authorization is the same work, so its duration measures the load of the platform. */
  authorized(exchange: Exchange, durationMs: number): void {
    this.#limit.took('authority', durationMs);
    this.#learn(exchange);
  }

  /** Remembers a grant that grants has known for the first time; from now on its connection is that of its Workspace. */
  #learn({ context, belongsTo }: Exchange): void {
    const { credential, principal, holder } = context;
    if (credential?.kind !== 'grant' || this.#fairnessKeys.knows(credential.secretHash)) return;
    const found = holderIn(holder) ?? principalIn(principal);
    if (found === undefined) return;
    const { workspaceId: workspace } = found;
    this.#fairnessKeys.learn(credential, {
      workspace,
      ...('grantId' in found && { caller: found.grantId, holder }),
    });
    belongsTo(found.workspaceId);
  }

  #admit(
    credential: Credential,
    fairnessKey: FairnessKey,
    exchange: Exchange,
    { effect, service: declared }: ArrivingCall,
  ): Caller {
    let service = declared;
    if (credential.kind === 'session' || this.#fairnessKeys.knows(credential.secretHash))
      exchange.belongsTo(fairnessKey.workspace);
    if (!this.#calls.take(fairnessKey, service)) throw this.#noRoom();
    let hasSlot = true;
    const leave = () => {
      if (hasSlot) this.#calls.leave(fairnessKey, service);
      hasSlot = false;
    };
    whenEnded(exchange, leave);
    const bytes = new CallBytes(this.#bytes, fairnessKey, service, () => this.#unavailable());
    const enter = (called: Pick<Call, 'effect' | 'service'>) => {
      // The slot of a caller that left is given back, and may be that of another call.
      if (!hasSlot) throw new ActionError('action_platform_unavailable');
      caller.effect = called.effect;
      if (!this.#calls.move(service, called.service)) throw this.#noRoom();
      service = called.service;
      bytes.enter(service);
    };
    const waitWithoutSlot = async (wait: () => Promise<void>) => {
      leave();
      await wait();
      hasSlot = !exchange.ended.aborted && this.#calls.take(fairnessKey, service);
      return hasSlot;
    };
    const caller: Caller = { credential, fairnessKey, bytes, effect, enter, waitWithoutSlot };
    return caller;
  }

  #noRoom(): ActionError {
    this.#limit.wanted();
    return this.#unavailable();
  }

  #unavailable(): ActionError {
    this.#refusedAt = performance.now();
    return new ActionError('action_platform_unavailable');
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
