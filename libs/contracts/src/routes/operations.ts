import { z } from 'zod';
import type { Operation } from '../declaration/operation.ts';
import type { Route, RouteAddress } from '../declaration/route.ts';
import { credentialErrors, platformFailures, standingErrors } from '../errors/groups.ts';
import { describeOperation, errorsOf, operationDescriptor } from '../operations/descriptor.ts';
import { listEvents } from '../operations/events/list-events.ts';
import { functionTool } from '../operations/tool.ts';
import { field } from '../schema/fields.ts';
import { idempotencyKeyHeader, routineInvocationHeader } from '../schema/request-headers.ts';
import { docsRoutes, openApiBody } from './docs.ts';

export const discoveryQuery = z.strictObject({
  view: field(
    z.enum(['tools', 'openapi']).optional(),
    'How to list them: as function tools for a language model, or as an OpenAPI document. When left out: as operations, whole.',
    'tools',
  ),
});

/** The answer of discovery without `view`. */
export const operationList = z.strictObject({ operations: z.array(operationDescriptor) });

/** The answer of discovery with `view=tools`. */
export const toolList = z.strictObject({ tools: z.array(functionTool) });

/** The routes on which operations are discovered and executed. */
export const operationRoutes = {
  discover: {
    method: 'get',
    path: '/api/v1/operations',
    operationId: 'discoverOperations',
    tag: 'discovery',
    title: 'List the operations that this caller can execute now',
    description:
      'The source of truth for what the caller can call: role, connected apps and the grant in use are reflected. Sorted by id.',
    caller: 'member_or_grant',
    isCacheable: true,
    parameters: { query: discoveryQuery },
    answers: [
      {
        status: 200,
        description:
          'OperationList: the operations, each with its schemas and errors. With view=tools ToolList: the same operations as function tools. With view=openapi the OpenAPI document of the same operations, custom ones included.',
        body: z.xor([operationList, toolList, openApiBody]),
        example: { operations: [describeOperation(listEvents)] },
      },
    ],
    errors: ['invalid_request', ...credentialErrors, ...standingErrors, ...platformFailures.read],
  },
  execute: { method: 'post', path: '/api/v1/operations/{operationId}' },
} as const satisfies { discover: Route; execute: RouteAddress };

/** The route that executes one operation: `operationRoutes.execute` with this operation's id in its path. */
export function executionRoute(operation: Operation): Route {
  const { id, title, description, input, example, output, exampleResult } = operation;
  const { outcome, custom, deprecation } = operation;
  return {
    method: operationRoutes.execute.method,
    path: executionPath(id),
    operationId: id,
    tag: operationTag(id),
    title,
    description,
    caller: 'member_or_grant',
    parameters: { header: routineInvocationHeader.extend(idempotencyKeyHeader(input)?.shape ?? {}) },
    requestBody: { schema: input, example },
    answers: [
      {
        status: 200,
        description: 'The outcome.',
        body: z.strictObject({ result: output }),
        ...(exampleResult && { example: { result: exampleResult } }),
        mayBeUnknown: outcome !== undefined,
      },
    ],
    errors: errorsOf(operation),
    ...(custom === undefined ? {} : { refusals: custom.refusals }),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

/** The path of an operation: `/api/v1/operations/record_store.push_record`. */
export function executionPath(operationId: string): `/${string}` {
  return operationRoutes.execute.path.replace('{operationId}', operationId) as `/${string}`;
}

/** The group of an operation: `record_store.push_record` → `record_store`. */
function operationTag(operationId: string): string {
  return operationId.slice(0, operationId.indexOf('.'));
}

/** The address of an operation in the API reference, relative to the base address. */
export function operationDocsUrl(operationId: string): string {
  return `${docsRoutes.reference.path}#/${operationTag(operationId)}/${operationId}`;
}
