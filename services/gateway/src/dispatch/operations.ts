import { type Bus, refusalOf } from '@action-platform/bus';
import {
  ActionError,
  authorize,
  busHeaders,
  type Operation,
  operationSubject,
  placeOf,
} from '@action-platform/contracts';
import { type Answer, replyAnswer } from './answer.ts';
import { askOptions } from './ask.ts';
import type { Door } from './door.ts';
import type { Body, Exchange } from './exchange.ts';
import { timed } from './timed.ts';

/** One call of an operation. */
export interface Execution {
  readonly operationId: string;
  /** Names the run of a recurring job; needed with a routine grant. */
  readonly invocationId: string | undefined;
  readonly body: Body;
}

interface Needed {
  readonly door: Door;
  readonly bus: Bus;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
}

const decoder = new TextDecoder();

/**
 * Runs operations: asks grants for authority, hands the body as it is to the service that owns the operation, and its
 * answer as it is back.
 *
 * Authority counts when the body is complete: a revocation that was acknowledged stops a call whose body was still
 * arriving. For such a body it is also asked for before any of it is read, so that who is refused is answered at once.
 * Asking twice counts a run once: its invocation id is the same.
 */
export function executeOperation({ door, bus, operations }: Needed) {
  const subjects = new Map(
    [...operations.values()].map((operation) => [
      operation.id,
      {
        subject: operationSubject(operation),
        effect: operation.effect,
        service: operation.service,
        place: placeOf(operation),
      },
    ]),
  );
  return (exchange: Exchange, { operationId, invocationId, body }: Execution): Promise<Answer> => {
    const operation = subjects.get(operationId);
    const { effect, service, place } = operation ?? { ...authorize, place: 'operation' };
    const { findings } = exchange;
    if (operation !== undefined) findings.operation = operationId;
    return door.pass(exchange, { place, effect, service }, async (caller) => {
      const { credential } = caller;
      const question = JSON.stringify({ credential, operation: operationId, invocationId });
      const askForAuthority = async () => {
        const options = askOptions(exchange, caller, authorize);
        const reply = await timed(findings, 'authorityMs', () =>
          bus.request(authorize.subject, question, options),
        );
        if (reply.status !== 200) throw refusalOf(reply, authorize.effect);
        // The principal is passed on as the grants service wrote it.
        return decoder.decode(reply.body);
      };
      const wasWhole = await body.hasArrived();
      let principal = await askForAuthority();
      findings.principal = principal;
      door.authorized(caller, principal, findings.authorityMs!);
      const bytes = await body.read();
      if (!wasWhole) principal = await askForAuthority();
      if (operation === undefined) throw new ActionError('unknown_operation');
      const options = askOptions(exchange, caller, operation, busHeaders.principal, principal);
      const reply = await timed(findings, 'serviceMs', () => bus.request(operation.subject, bytes, options));
      return replyAnswer(reply, operation.effect);
    });
  };
}
