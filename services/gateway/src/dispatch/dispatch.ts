import type { Bus } from '@action-platform/bus';
import type { Operation } from '@action-platform/contracts';
import { type Answer, answerOf } from './answer.ts';
import type { AuthorizedCall } from './authorize.ts';
import { noteReply } from './exchange.ts';
import { requestService } from './request-service.ts';
import type { SpeculativeRead } from './speculative-read.ts';

/**
 * Has the service that owns the operation run an authorized call.
 *
 * @param begun the call, if it began before its authorization.
 */
export async function dispatch(
  bus: Bus,
  operation: Operation,
  call: AuthorizedCall,
  begun?: SpeculativeRead,
): Promise<Answer> {
  const reply = await (begun?.release(call.principal) ?? requestService(bus, operation, call));
  noteReply(call.exchange.context, reply);
  return answerOf(reply, operation.effect);
}
