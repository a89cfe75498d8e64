import { type Bus, type BusReply, callService, refusalOf } from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import { authorize, discover } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { customCall, foundCustomOperation, type Granted } from '@action-platform/contracts/operations';
import type { MemberRoute } from '@action-platform/contracts/resources';
import { LRUCache } from 'lru-cache';
import { isFresh } from '../authentication/fresh-sign-in.ts';
import type { CallAdmission, Caller } from './admission.ts';
import { type Exchange, type RequestContext, timed } from './exchange.ts';
import type { AdmittedCall } from './sent-call.ts';
import { requestOptions } from './service-request.ts';

/** How many callers have an expected principal. */
const MOST_EXPECTED = 10_000;

const decoder = new TextDecoder();

/** Establishes for whom a call is made: grants decides on every call of an operation, and a route for Members takes a session. */
export class Authority {
  /** The principal that grants established for the last call of each session's caller; no caller that it refused last has one. */
  readonly #expected = new LRUCache<string, string>({ max: MOST_EXPECTED });
  readonly #bus: Bus;
  readonly #admission: CallAdmission;

  constructor(bus: Bus, admission: CallAdmission) {
    this.#bus = bus;
    this.#admission = admission;
  }

  /** The principal to expect of a caller's call (JSON text), if any, which gives no authority: see {@link SpeculativeRead}. */
  expected({ fairnessKey }: Caller): string | undefined {
    return this.#expected.get(fairnessKey.caller);
  }

  /**
   * Whom the call is made for, as its service gets it (JSON text), established now. Throws the refusal.
   *
   * @param isCounted whether an earlier request has counted the call against the limit of its Workspace.
   */
  async establish(call: AdmittedCall, isCounted: boolean): Promise<string> {
    const { called } = call.sent;
    if (called?.audience === 'member') return await this.#session(call, called);
    const { credential, fairnessKey } = call.caller;
    try {
      const principal = await this.#authorize(call, isCounted);
      // The gateway remembers principals of reads alone: grants may mark that of a write as subject to approval.
      if (called?.effect === 'read' && credential.kind === 'session')
        this.#expected.set(fairnessKey.caller, principal);
      return principal;
    } catch (refusal) {
      this.#expected.delete(fairnessKey.caller);
      throw refusal;
    }
  }

  /**
   * Throws the refusal of a caller whose body is not read, or is refused; the service of a route for Members would find it later.
   *
   * @param counts whether the call counts against the limit of its Workspace now.
   */
  async check(call: AdmittedCall, counts: boolean): Promise<void> {
    await this.establish(call, !counts);
    if (call.sent.called?.audience !== 'member') return;
    const { exchange, caller } = call;
    await timed(exchange.context, 'authorityMs', () =>
      availableOperations(this.#bus, exchange, caller, counts ? {} : { isUncounted: true }),
    );
  }

  /**
   * The session of the signed-in Member, who has just signed in where the route declares it. An active grant gets 403
   * `member_session_required`, an ended one its 401.
   */
  async #session({ exchange, caller }: AdmittedCall, { freshSignIn }: MemberRoute): Promise<string> {
    const { credential } = caller;
    if (credential.kind === 'session') {
      const fresh = isFresh(credential);
      if (freshSignIn && !fresh) throw new ActionError('fresh_sign_in_required');
      const { workspaceId, userId } = credential;
      return JSON.stringify({ workspaceId, userId, ...(fresh && { isFresh: true }) });
    }
    await availableOperations(this.#bus, exchange, caller).catch((error: unknown) => {
      const isLive =
        error instanceof ActionError && error.status === 403 && error.code !== 'workspace_suspended';
      if (!isLive) throw error;
    });
    throw new ActionError('member_session_required');
  }

  /** The principal of an operation's call, as grants wrote it. */
  async #authorize({ exchange, sent, caller }: AdmittedCall, isCounted: boolean): Promise<string> {
    const { id: operation, called, invocationId } = sent;
    const { context } = exchange;
    const { credential } = caller;
    const isUncounted = isCounted || undefined;
    const request = JSON.stringify({ credential, operation, invocationId, isUncounted });
    const options = requestOptions(exchange, caller, authorize);
    const before = context.authorityMs ?? 0;
    const reply = await timed(context, 'authorityMs', () =>
      this.#bus.request(authorize.subject, request, options),
    );
    noteHolder(context, reply);
    if (reply.status !== 200) {
      const refusal = refusalOf(reply, authorize.effect);
      if (called === customCall && refusal.code !== 'unknown_operation') context.operation = operation;
      throw refusal;
    }
    if (called === customCall) noteCustom(context, reply);
    const principal = decoder.decode(reply.body);
    context.principal = principal;
    this.#admission.authorized(exchange, context.authorityMs! - before);
    return principal;
  }
}

/**
 * The ids of the operations that a caller can execute now, sorted, and the limits of a routine grant; grants determines them for every call.
 *
 * @param asked whether with the names of its data, and whether another request counts the call.
 */
export async function availableOperations(
  bus: Bus,
  exchange: Exchange,
  caller: Caller,
  asked: { readonly withNames?: true; readonly isUncounted?: true } = {},
): Promise<Granted> {
  const { credential } = caller;
  const options = {
    ...requestOptions(exchange, caller, discover),
    onReply: (reply: BusReply) => noteHolder(exchange.context, reply),
  };
  return await callService(bus, discover, { credential, ...asked }, options);
}

/**
 * Notes the custom operation in an answer of grants; its id names the call from now on. Throws ActionError `action_platform_unavailable`
 * without one.
 */
function noteCustom(context: RequestContext, reply: BusReply): void {
  const text = reply.header(busHeaders.customOperation);
  const found = foundCustomOperation.safeParse(text === '' ? undefined : JSON.parse(text)).data;
  if (found === undefined) throw new ActionError('action_platform_unavailable');
  context.custom = { ...found, text };
  context.operation = found.id;
}

/** Notes the caller in an answer of grants. */
export function noteHolder(context: RequestContext, reply: BusReply): void {
  const holder = reply.header(busHeaders.holder);
  if (holder !== '') context.holder = holder;
}
