import { type BusHandler, busHeaders } from '@action-platform/bus';
import { ActionError, type Operation } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Observer, OperationContext, Result } from './context.ts';
import { requireDataInScope } from './granted-data.ts';
import { inputReader } from './input.ts';
import { type Host, respond } from './respond.ts';

/** An operation with the code that runs it. */
export interface ServedOperation {
  readonly operation: Operation;
  readonly handler: (host: Host) => BusHandler;
}

/**
 * Binds an operation of the registry to its handler. Before the handler runs, the body has been read and
 * validated with the contract's schema, and the data it names is within the scope of the grant in use.
 *
 * @param observe gets the outcome of each call, refusals before the handler included, before it is answered.
 */
export function serveOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  run: (input: z.output<Input>, context: OperationContext) => Promise<Result<z.output<Output>>>,
  observe?: Observer<z.output<Input>>,
): ServedOperation {
  const readInput = inputReader(operation.input);
  const targets =
    operation.targets &&
    ((input: Input, answer?: { result: Output }) =>
      operation.targets!(input as never, answer?.result as never));
  const declared = { name: operation.id, effect: operation.effect, place: 'operation', targets } as const;
  const handler = (host: Host): BusHandler => {
    return (request) =>
      respond(
        request,
        host,
        declared,
        async (incoming) => {
          const { principal } = incoming;
          if (principal === undefined) throw new ActionError('action_platform_unavailable');
          const input = await readInput(request.body, {
            key: request.header(busHeaders.idempotencyKey),
            isKeyRequired: request.header(busHeaders.keyRequired) === 'true',
          });
          incoming.input = input;
          const granted = await requireDataInScope(operation, input, principal, host.grants, incoming);
          incoming.begin(operation.effect);
          const result = await run(input, Object.assign(incoming, { principal, granted }));
          incoming.operationOutcome = operation.outcome?.(result as z.output<Output>);
          return { result };
        },
        observe as Observer | undefined,
      );
  };
  return { operation, handler };
}
