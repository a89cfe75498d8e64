import type { Bus, BusReply } from '@action-platform/bus';
import { busHeaders, type Operation } from '@action-platform/contracts';
import { askOptions } from './ask.ts';
import type { AuthorizedCall } from './authorize.ts';
import { keyHeader } from './idempotency-key.ts';
import { timed } from './timed.ts';

/** Passes the body of a call, byte for byte, to the service that owns the operation; rejects as `Bus.request` does. */
export async function requestService(
  bus: Bus,
  operation: Operation,
  { exchange, execution, caller, principal, bytes }: AuthorizedCall,
): Promise<BusReply> {
  const options = askOptions(exchange, caller, operation, {
    [busHeaders.principal]: principal,
    ...keyHeader(operation.input, execution),
  });
  return await timed(exchange.context, 'serviceMs', () => bus.request(operation.subject, bytes, options));
}
