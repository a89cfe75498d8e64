import { listSendHistory } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { describeAttempt } from '../attempts/describe-attempt.ts';
import type { Dependencies } from '../dependencies.ts';

/** `mail.list_send_history` */
export function serveListSendHistory({ attempts }: Dependencies): ServedCall {
  return serveOperation(listSendHistory, async (_input, context) => {
    const { principal, granted } = context;
    const visible = await attempts.visibleTo(principal, context, granted);
    return { entries: visible.map((attempt) => describeAttempt(attempt, principal.userId)) };
  });
}
