import { callService } from '@action-platform/bus';
import { describeOperation, discover } from '@action-platform/contracts';
import type { Request } from 'express';
import { answerWithJson } from '../../http/answer.ts';
import { callOptions } from '../../http/call-options.ts';
import type { ApiResponse } from '../../http/exchange.ts';
import type { GatewayTools } from '../../tools.ts';

/** GET /api/v1/operations: what this caller can execute now. */
export function discoverOperations({ bus, authenticator, operations }: GatewayTools) {
  const descriptors = new Map(
    [...operations.values()].map((operation) => [operation.id, JSON.stringify(describeOperation(operation))]),
  );
  return async (request: Request, response: ApiResponse): Promise<void> => {
    const credential = await authenticator.authenticate(request.headers.authorization);
    const available = await callService(bus, discover, { credential }, callOptions(response));
    const listed = available.operations.map((id) => descriptors.get(id)).filter((text) => text !== undefined);
    answerWithJson(response, 200, `{"operations":[${listed.join(',')}]}`);
  };
}
