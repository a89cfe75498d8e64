import { type Bus, callService } from '@action-platform/bus';
import { ActionError, busHeaders, type Call, discover, type SessionClaims } from '@action-platform/contracts';
import { type Answer, replyAnswer } from './answer.ts';
import { askOptions } from './ask.ts';
import type { Caller, Door } from './door.ts';
import type { Body, Exchange } from './exchange.ts';
import { timed } from './timed.ts';

/** One call that manages grants. */
export interface GrantManagement {
  readonly call: Call;
  readonly body: Body;
  /** What goes to grants when that is not the body: the query of a listing, the id of a grant. */
  readonly input?: object;
  /** The status when it succeeds. */
  readonly success?: 200 | 201;
}

/**
 * Passes calls that manage grants on for the Member who is signed in. The grants service checks the membership first
 * and then what the Member sent, which the gateway does not look into.
 */
export function manageGrants({ door, bus }: { readonly door: Door; readonly bus: Bus }) {
  return (exchange: Exchange, { call, body, input, success }: GrantManagement): Promise<Answer> =>
    door.pass(
      exchange,
      { place: 'grant_route', effect: call.effect, service: call.service },
      async (caller) => {
        const { credential } = caller;
        const session = await requireSession(caller, exchange);
        const { findings } = exchange;
        const requireMember = () =>
          timed(findings, 'authorityMs', () =>
            callService(bus, discover, { credential }, askOptions(exchange, caller, discover)),
          );
        const wasWhole = await body.hasArrived();
        // Who is no Member is told so before a body is waited for, and not what is wrong with it.
        if (!wasWhole) await requireMember();
        const bytes = await body.read().catch(async (refusal: unknown) => {
          if (wasWhole) await requireMember();
          throw refusal;
        });
        const options = askOptions(exchange, caller, call, busHeaders.session, JSON.stringify(session));
        const sent = input === undefined ? bytes : JSON.stringify(input);
        const reply = await timed(findings, 'serviceMs', () => bus.request(call.subject, sent, options));
        return replyAnswer(reply, call.effect, success);
      },
    );

  /**
   * The Member who is signed in. A grant that is live gets 403 `member_session_required`; one that is not gets its 401
   * as everywhere.
   */
  async function requireSession(caller: Caller, exchange: Exchange): Promise<SessionClaims> {
    const { credential } = caller;
    if (credential.kind === 'session') {
      return { workspaceId: credential.workspaceId, userId: credential.userId };
    }
    await callService(bus, discover, { credential }, askOptions(exchange, caller, discover)).catch(
      (error: unknown) => {
        const isLive = error instanceof ActionError && error.status === 403;
        if (!isLive) throw error;
      },
    );
    throw new ActionError('member_session_required');
  }
}
