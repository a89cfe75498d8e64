import { type Bus, callService } from '@action-platform/bus';
import { ActionError, busHeaders, type Call, discover, type SessionClaims } from '@action-platform/contracts';
import { type Answer, answerOf } from './answer.ts';
import { askOptions } from './ask.ts';
import type { Body, Exchange } from './exchange.ts';
import { keyHeader } from './idempotency-key.ts';
import type { Caller, RequestPipeline } from './pipeline.ts';
import { receiveBody } from './receive-body.ts';
import { timed } from './timed.ts';

/** One call that manages grants. */
export interface GrantManagement {
  readonly call: Call;
  readonly body: Body;
  /** The idempotency key of the request header. */
  readonly idempotencyKey: string | undefined;
  /** The input when that is not the body: the query of a listing, the id of a grant. */
  readonly input?: object;
}

/**
 * Passes calls that manage grants on for the signed-in Member. The grants service checks the membership before the input, which
 * the gateway does not parse.
 */
export function manageGrants({ pipeline, bus }: { readonly pipeline: RequestPipeline; readonly bus: Bus }) {
  return (
    exchange: Exchange,
    { call, body, idempotencyKey, input }: GrantManagement,
  ): Promise<Answer | ActionError> =>
    pipeline.run(exchange, call, async (caller) => {
      const { credential } = caller;
      const session = await requireSession(caller, exchange);
      const { context } = exchange;
      const requireMember = () =>
        timed(context, 'authorityMs', () =>
          callService(bus, discover, { credential }, askOptions(exchange, caller, discover)),
        );
      const wasWhole = await body.hasArrived();
      // A caller without a membership is refused before the body arrives, and learns nothing about the body.
      if (!wasWhole) await requireMember();
      const bytes = await receiveBody(body, wasWhole, caller, context).catch(async (refusal: unknown) => {
        if (wasWhole) await requireMember();
        throw refusal;
      });
      const options = askOptions(exchange, caller, call, {
        [busHeaders.session]: JSON.stringify(session),
        ...keyHeader(call.input, { idempotencyKey }),
      });
      const sent = input === undefined ? bytes : JSON.stringify(input);
      const reply = await timed(context, 'serviceMs', () => bus.request(call.subject, sent, options));
      return answerOf(reply, call.effect);
    });

  /** The session of the signed-in Member. A live grant gets 403 `member_session_required`, an ended one its 401. */
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
