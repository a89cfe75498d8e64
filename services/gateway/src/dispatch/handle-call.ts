import type { Bus } from '@action-platform/bus';
import { type ActionError, authorize, type Operation } from '@action-platform/contracts';
import type { Answer } from './answer.ts';
import { Authorization, type Execution, type OperationCall, type ReceivedCall } from './authorize.ts';
import { decide } from './decide.ts';
import { dispatch } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import type { RequestPipeline } from './pipeline.ts';
import { SpeculativeRead } from './speculative-read.ts';
import { waitForNews } from './wait-for-news.ts';
import type { WakeUps } from './wake-ups.ts';

interface Needed {
  readonly pipeline: RequestPipeline;
  readonly bus: Bus;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Wakes callers of operations that wait. */
  readonly wakeUps: WakeUps;
}

/** Executes operations that the call of an unknown caller names: authenticates and admits it, then see {@link runOperation}. */
export function executeOperation(needed: Needed) {
  const run = runOperation(needed);
  return (exchange: Exchange, execution: Execution): Promise<Answer | ActionError> => {
    const operation = needed.operations.get(execution.operationId);
    if (operation !== undefined) exchange.context.operation = operation.id;
    return needed.pipeline.run(exchange, operation ?? authorize, (caller) =>
      run({ exchange, execution, caller }),
    );
  };
}

/**
 * Executes operations for admitted callers in three steps: grants authorizes the call, the gateway decides on it, and the owning
 * service runs it. A read may begin before, but the decision releases its answer. Throws the refusal.
 */
export function runOperation({ pipeline, bus, operations, wakeUps }: Needed) {
  const authorization = new Authorization(bus, pipeline);

  const run = async (operation: Operation | undefined, received: ReceivedCall): Promise<Answer> => {
    const expected = pipeline.expected.of(received.caller);
    const begun =
      operation?.effect === 'read' && expected !== undefined
        ? new SpeculativeRead(bus, operation, { ...received, principal: expected })
        : undefined;
    try {
      const principal = await authorization.principalOf(received);
      const decision = decide(operation);
      if (decision.outcome === 'refused') throw decision.refusal;
      return await dispatch(bus, decision.operation, { ...received, principal }, begun);
    } finally {
      begun?.end();
    }
  };

  return async (call: OperationCall): Promise<Answer> => {
    const { operationId, invocationId } = call.execution;
    const operation = operations.get(operationId);
    if (invocationId !== undefined) call.exchange.context.invocationId = invocationId;
    const received = await authorization.receive(call);
    if (operation?.waits) return await waitForNews(received, wakeUps, (repeated) => run(operation, repeated));
    return await run(operation, received);
  };
}
