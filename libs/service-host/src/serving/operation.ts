import { type BusHandler, busHeaders } from '@action-platform/bus';
import type { Operation, Principal } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Logger } from '../process/logging.ts';
import type { OperationContext, Result } from './context.ts';
import { requireDataInScope } from './data-scope.ts';
import { inputReader } from './input.ts';
import { respond } from './respond.ts';

/** An operation with the code that runs it. */
export interface ServedOperation {
  readonly operation: Operation;
  readonly handler: (log: Logger) => BusHandler;
}

/**
 * Binds an operation of the registry to its handler. Before the handler runs, the body has been read and
 * validated with the contract's schema, and the data it names is within the scope of the grant in use.
 */
export function serveOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  run: (input: z.output<Input>, context: OperationContext) => Promise<Result<z.output<Output>>>,
): ServedOperation {
  const readInput = inputReader(operation.input);
  const handler = (log: Logger): BusHandler => {
    return (request) =>
      respond(request, log, operation.effect, async (context) => {
        // Only the gateway may publish to an operation's subject, so what it says here can be relied on.
        const principal = JSON.parse(request.header(busHeaders.principal)) as Principal;
        const input = readInput(request.body);
        requireDataInScope(operation, input, principal);
        return { result: await run(input, Object.assign(context, { principal })) };
      });
  };
  return { operation, handler };
}
