import type { Bus } from '@action-platform/bus';
import { ActionError, busHeaders, type MemberRoute, type SessionClaims } from '@action-platform/contracts';
import { type Answer, type AnswerFile, answerOf } from './answer.ts';
import { askOptions } from './ask.ts';
import { availableOperations } from './discovery.ts';
import { type Body, type Exchange, noteReply } from './exchange.ts';
import { keyHeader } from './idempotency-key.ts';
import type { Caller, RequestPipeline } from './pipeline.ts';
import { receiveBody } from './receive-body.ts';
import { timed } from './timed.ts';

/** A call of a route, for the signed-in Member. */
export interface MemberCall {
  readonly route: MemberRoute;
  readonly body: Body;
  /** The idempotency key of the request header. */
  readonly idempotencyKey: string | undefined;
  /** The input when that is not the body: the parameters of the request. */
  readonly input?: object;
  /** The parameters of the path when the input is the body beside them. */
  readonly path?: Readonly<Record<string, string>>;
  /** The file that the answer is when it is no JSON. */
  readonly file?: AnswerFile;
}

/**
 * Makes calls for the signed-in Member that are not operations. The service checks the membership before the input, which the
 * gateway does not parse.
 */
export function memberCalls({ pipeline, bus }: { readonly pipeline: RequestPipeline; readonly bus: Bus }) {
  return (
    exchange: Exchange,
    { route, body, idempotencyKey, input, path, file }: MemberCall,
  ): Promise<Answer | ActionError> =>
    pipeline.run(exchange, route, async (caller) => {
      const session = await requireSession(caller, exchange);
      const { context } = exchange;
      const requireMember = () =>
        timed(context, 'authorityMs', () => availableOperations(bus, exchange, caller));
      const wasWhole = await body.hasArrived();
      // A caller without a membership is refused before the body arrives, and learns nothing about the body.
      if (!wasWhole) await requireMember();
      const bytes = await receiveBody(body, wasWhole, caller, context).catch(async (refusal: unknown) => {
        if (wasWhole) await requireMember();
        throw refusal;
      });
      const options = askOptions(exchange, caller, route, {
        [busHeaders.principal]: JSON.stringify(session),
        ...(path !== undefined && { [busHeaders.path]: JSON.stringify(path) }),
        ...keyHeader(route.input, { idempotencyKey }),
      });
      const sent = input === undefined ? bytes : JSON.stringify(input);
      const reply = await timed(context, 'serviceMs', () => bus.request(route.subject, sent, options));
      noteReply(context, reply);
      return answerOf(reply, route.effect, file);
    });

  /** The session of the signed-in Member. A live grant gets 403 `member_session_required`, an ended one its 401. */
  async function requireSession(caller: Caller, exchange: Exchange): Promise<SessionClaims> {
    const { credential } = caller;
    if (credential.kind === 'session') {
      return { workspaceId: credential.workspaceId, userId: credential.userId };
    }
    await availableOperations(bus, exchange, caller).catch((error: unknown) => {
      const isLive = error instanceof ActionError && error.status === 403;
      if (!isLive) throw error;
    });
    throw new ActionError('member_session_required');
  }
}
