import { z } from 'zod';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { CUSTOM_ID } from '../operations/custom/custom-id.ts';
import { customOperation, definitionFields } from '../operations/custom/definition.ts';
import { exampleDefinition } from '../operations/custom/example.ts';
import { withExactNumbers } from '../schema/exact-numbers.ts';
import { field } from '../schema/fields.ts';

const { inputSchema, outputSchema, ...said } = exampleDefinition;
const withoutSchemas = {
  id: 'custom.refund_order',
  definitionId: 'cop_0198f2d0c4b17a3e9d51c2aa40e7b6f3',
  status: 'active',
  revision: 1,
  ...said,
  createdAt: '2026-05-01T09:30:00.000Z',
  createdBy: 'olga',
  updatedAt: '2026-05-01T09:30:00.000Z',
  updatedBy: 'olga',
};
const operation = { ...withoutSchemas, inputSchema, outputSchema };

const all = { role: 'owner', path: '/api/v1/custom-operations' } as const;
const ABOUT_ID = 'The id of a custom operation.';
const output = z.strictObject({ operation: customOperation });
const named = z.strictObject({ id: field(z.string(), ABOUT_ID, withoutSchemas.id) });
const one = { ...all, path: `${all.path}/{id}`, input: named, output } as const;
const notFoundErrors = ['custom_operation_not_found', 'route_not_found'] as const;
const targets = (_input: object, result?: z.output<typeof output>) => [result?.operation.definitionId];

/** The routes with which Owners register endpoints of their company as operations. */
export const customOperationRoutes = {
  list: defineMemberRoute({
    ...all,
    id: 'grants.list_custom_operations',
    method: 'get',
    title: 'List custom operations',
    description:
      'All that the Workspace has registered, removed ones included, by id, without their schemas.',
    input: z.strictObject({}),
    output: z.strictObject({
      operations: z.array(customOperation.omit({ inputSchema: true, outputSchema: true })),
    }),
    answer: { description: 'The custom operations.', example: { operations: [withoutSchemas] } },
  }),
  put: defineMemberRoute({
    ...one,
    id: 'grants.put_custom_operation',
    method: 'put',
    title: 'Register or change a custom operation',
    description:
      'Makes an endpoint of the company an operation of this Workspace: see [custom operations](/docs/guides/custom-operations). The next call follows the new definition. Repeating an identical request changes nothing, and brings a removed one back. While the Workspace has a rule of approvals, only for an Owner who has just signed in at the console.',
    input: withExactNumbers(
      z.strictObject({
        id: field(
          z
            .string()
            .regex(CUSTOM_ID, 'must be custom. and a name such as refund_order, of at most 56 characters'),
          ABOUT_ID,
          withoutSchemas.id,
        ),
        ...definitionFields,
        expectedRevision: field(
          z.int().min(0).optional(),
          'Refuses the call unless this is the present revision; 0: unless the id is new.',
          0,
        ),
      }),
    ),
    example: exampleDefinition,
    answer: { description: 'The custom operation.', example: { operation } },
    errors: ['fresh_sign_in_required', 'route_not_found'],
    targets,
  }),
  get: defineMemberRoute({
    ...one,
    id: 'grants.get_custom_operation',
    method: 'get',
    title: 'Get a custom operation',
    description: 'With its schemas, also when it was removed.',
    answer: { description: 'The custom operation.', example: { operation } },
    errors: notFoundErrors,
  }),
  remove: defineMemberRoute({
    ...one,
    id: 'grants.remove_custom_operation',
    method: 'delete',
    title: 'Remove a custom operation',
    description:
      'The next call of it fails. Its id keeps its effect, its availability and whether it is destructive, so that no grant widens. Safe to repeat. While the Workspace has a rule of approvals, only for an Owner who has just signed in at the console.',
    answer: {
      description: 'The custom operation, removed.',
      example: { operation: { ...operation, status: 'removed' } },
    },
    errors: [...notFoundErrors, 'fresh_sign_in_required'],
    targets,
  }),
};

export type CustomOperationChange = z.output<typeof customOperationRoutes.put.input>;
