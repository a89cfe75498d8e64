import { busHeaders } from '@action-platform/contracts/bus';
import { customCall } from '@action-platform/contracts/operations';
import { idempotencyKeyField } from '@action-platform/contracts/schema';
import { withoutMember } from '@action-platform/json';
import { type CalledOperation, type ServedCall, serveOperation } from '@action-platform/service-host';
import type { DefinedOperation, Definitions } from '../definitions.ts';
import { type Endpoints, endOf } from '../endpoint/endpoints.ts';
import { resultOf } from '../endpoint/outcome.ts';
import type { Writes } from '../executions/write.ts';

/** Every custom operation, found by its call: one POST to the endpoint of its definition. */
export function serveCustomOperations(
  definitions: Definitions,
  endpoints: Endpoints,
  writes: Writes,
): ServedCall {
  return serveOperation(
    customCall,
    async (input, context, { operation, body: sent }: CalledOperation<DefinedOperation>) => {
      const { definition, effect } = operation;
      const keyField = idempotencyKeyField(operation.input);
      if (keyField !== undefined) {
        const write = { definition, body: withoutMember(sent, keyField) };
        return resultOf(await writes.execute(write, input[keyField] as string, context), effect);
      }
      const body = sent.length === 0 ? '{}' : Buffer.from(sent).toString();
      const request = () => endpoints.call({ definition, body, until: endOf(definition, context) }, context);
      return resultOf(await endpoints.underWay.run(context, definition, request), effect);
    },
    { find: (request, context) => definitions.find(request.header(busHeaders.customOperation), context) },
  );
}
