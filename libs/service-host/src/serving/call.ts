import { type BusHandler, busHeaders } from '@action-platform/bus';
import type { Call, SessionClaims } from '@action-platform/contracts';
import type { z } from 'zod';
import type { Logger } from '../process/logging.ts';
import type { CallContext } from './context.ts';
import { inputReader } from './input.ts';
import { respond } from './respond.ts';

/** A call of the registry with the code that answers it. */
export interface ServedCall {
  readonly call: Call;
  readonly handler: (log: Logger) => BusHandler;
}

/** What the handler of a call knows. */
export interface ServiceCallContext extends CallContext {
  /** Who is signed in, on the calls that the gateway makes for a Member; throws on others. */
  session(): SessionClaims;
}

/** Binds a call of the registry to its handler; the body has been read and validated before it runs. */
export function serveCall<Input extends z.ZodObject, Output extends z.ZodType>(
  call: Call<Input, Output>,
  run: (input: z.output<Input>, context: ServiceCallContext) => Promise<z.output<Output>>,
): ServedCall {
  const readInput = inputReader(call.input);
  const handler = (log: Logger): BusHandler => {
    return (request) =>
      respond(request, log, call.effect, (context) =>
        run(
          readInput(request.body),
          Object.assign(context, {
            session: () => JSON.parse(request.header(busHeaders.session)) as SessionClaims,
          }),
        ),
      );
  };
  return { call, handler };
}
