import type { Bus } from '@action-platform/bus';
import { authorize, type Operation, placeOf } from '@action-platform/contracts';
import type { Answer } from './answer.ts';
import { authorization, type Execution } from './authorize.ts';
import { decide } from './decide.ts';
import { dispatch } from './dispatch.ts';
import type { Exchange } from './exchange.ts';
import type { RequestPipeline } from './pipeline.ts';

interface Needed {
  readonly pipeline: RequestPipeline;
  readonly bus: Bus;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/** Executes operations in three steps: grants authorizes the call, the gateway decides on it, and the owning service runs it. */
export function executeOperation({ pipeline, bus, operations }: Needed) {
  const authorizeCall = authorization(bus, pipeline);
  return (exchange: Exchange, execution: Execution): Promise<Answer> => {
    const operation = operations.get(execution.operationId);
    const kind =
      operation === undefined
        ? { ...authorize, place: 'operation' as const }
        : { ...operation, place: placeOf(operation) };
    if (operation !== undefined) exchange.context.operation = operation.id;
    return pipeline.run(exchange, kind, async (caller) => {
      const authorized = await authorizeCall({ exchange, execution, caller });
      const decision = decide(operation);
      if (decision.outcome === 'refused') throw decision.refusal;
      return await dispatch(bus, decision.operation, authorized);
    });
  };
}
