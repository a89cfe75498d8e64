import type { Bus } from '@action-platform/bus';
import { busHeaders, type Operation, operationSubject } from '@action-platform/contracts';
import { type Answer, answerOf } from './answer.ts';
import { askOptions } from './ask.ts';
import type { AuthorizedCall } from './authorize.ts';
import { keyHeader } from './idempotency-key.ts';
import { timed } from './timed.ts';

/** Passes the body of a call, byte for byte, to the service that owns the operation, and its answer back. */
export async function dispatch(
  bus: Bus,
  operation: Operation,
  { exchange, execution, caller, principal, bytes }: AuthorizedCall,
): Promise<Answer> {
  const options = askOptions(exchange, caller, operation, {
    [busHeaders.principal]: principal,
    ...keyHeader(operation.input, execution),
  });
  const reply = await timed(exchange.context, 'serviceMs', () =>
    bus.request(operationSubject(operation), bytes, options),
  );
  return answerOf(reply, operation.effect);
}
