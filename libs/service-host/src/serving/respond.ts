import { type BusAnswer, type BusRequest, busHeaders } from '@action-platform/bus';
import type { Logger } from '../process/logging.ts';
import { errorAnswer, resultAnswer, toActionError } from './answer.ts';
import type { CallContext } from './context.ts';

/** Runs one call from its request to its answer; whatever happens in between becomes an answer. */
export async function respond(
  request: BusRequest,
  log: Logger,
  effect: 'read' | 'write',
  work: (context: CallContext) => Promise<unknown>,
): Promise<BusAnswer> {
  const requestId = request.header(busHeaders.requestId);
  const callLog = log.child({ request_id: requestId, subject: request.subject });
  let replayed = false;
  const context: CallContext = {
    requestId,
    log: callLog,
    deadline: performance.now() + Number(request.header(busHeaders.timeoutMs)),
    markReplayed: () => {
      replayed = true;
    },
  };
  try {
    const result = await work(context);
    return await resultAnswer(result, replayed ? { [busHeaders.replayed]: 'true' } : {});
  } catch (error) {
    return errorAnswer(toActionError(error, effect, callLog), request);
  }
}
