import { busHeaders } from '@action-platform/contracts/bus';
import { customCall } from '@action-platform/contracts/operations';
import { idempotencyKeyField } from '@action-platform/contracts/schema';
import { withoutMembers } from '@action-platform/json';
import { type CalledOperation, type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Connectors } from '../connectors/connectors.ts';
import type { DefinedOperation, Definitions } from '../definitions.ts';
import { type Endpoints, endOf } from '../endpoint/endpoints.ts';
import { resultOf } from '../endpoint/outcome.ts';
import { upstreamRequest } from '../endpoint/upstream-request.ts';
import type { Writes } from '../executions/write.ts';

interface CustomOperationsServed {
  readonly definitions: Definitions;
  readonly connectors: Connectors;
  readonly endpoints: Endpoints;
  readonly writes: Writes;
}

/** Every custom operation, found by its call: one request to the endpoint of its definition, or to the API behind its connector. */
export function serveCustomOperations({
  definitions,
  connectors,
  endpoints,
  writes,
}: CustomOperationsServed): ServedCall {
  return serveOperation(
    customCall,
    async (input, context, { operation, body: sent }: CalledOperation<DefinedOperation>) => {
      const { definition, effect } = operation;
      const { workspaceId } = context.principal;
      const keyField = idempotencyKeyField(operation.input);
      const key = keyField && (input[keyField] as string);
      const text = sent.length === 0 ? '{}' : Buffer.from(sent).toString();
      const body = keyField === undefined ? text : withoutMembers(sent, [keyField]);
      const name = definition.target?.connector;
      const connector = name && (await connectors.active({ workspaceId, name }, context));
      if (name !== undefined && !connector) {
        const cause = 'connector_removed';
        const outcome =
          key === undefined
            ? ({ is: 'unavailable', cause } as const)
            : await writes.withoutRequest({ definition, body }, key, cause, context);
        return resultOf(outcome, effect);
      }
      const request = await upstreamRequest(definition, connector || undefined, body, context);
      const call = { definition, body, request };
      if (key !== undefined) {
        const outcome = await writes.execute(call, key, context);
        return resultOf(outcome, effect, request.isSentOnce);
      }
      const read = () => endpoints.call({ ...call, until: endOf(definition, context) }, context);
      return resultOf(await endpoints.underWay.run(workspaceId, request.url, read), effect);
    },
    { find: (request, context) => definitions.find(request.header(busHeaders.customOperation), context) },
  );
}
