import { z } from 'zod';
import { exampleDefinition } from '../../custom-operations/example.ts';
import { defineMemberRoute } from '../../declaration/member-route.ts';
import {
  customOperationChange,
  customOperationList,
  namedCustomOperation,
  oneCustomOperation,
} from './shapes.ts';

const { inputSchema, outputSchema, ...said } = exampleDefinition;
const listed = {
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
const operation = { ...listed, inputSchema, outputSchema };

const all = { service: 'grants', role: 'owner', path: '/api/v1/custom-operations' } as const;
const one = { ...all, path: `${all.path}/{id}`, output: oneCustomOperation } as const;
const ofOne = ['custom_operation_not_found', 'route_not_found'] as const;
const targets = (_input: object, result?: z.output<typeof oneCustomOperation>) => [
  result?.operation.definitionId,
];

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
    output: customOperationList,
    answer: { description: 'The custom operations.', example: { operations: [listed] } },
  }),
  put: defineMemberRoute({
    ...one,
    id: 'grants.put_custom_operation',
    method: 'put',
    title: 'Register or change a custom operation',
    description:
      'Makes an endpoint of the company an operation of this Workspace: see [custom operations](/docs/guides/custom-operations). The next call follows the new definition. Repeating an identical request changes nothing, and brings a removed one back. While the Workspace has a rule of approvals, only for an Owner who has just signed in at the console.',
    input: customOperationChange,
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
    input: namedCustomOperation,
    answer: { description: 'The custom operation.', example: { operation } },
    errors: ofOne,
  }),
  remove: defineMemberRoute({
    ...one,
    id: 'grants.remove_custom_operation',
    method: 'delete',
    title: 'Remove a custom operation',
    description:
      'The next call of it fails. Its id keeps its effect, its availability and whether it is destructive, so that no grant widens. Safe to repeat. While the Workspace has a rule of approvals, only for an Owner who has just signed in at the console.',
    input: namedCustomOperation,
    answer: {
      description: 'The custom operation, removed.',
      example: { operation: { ...operation, status: 'removed' } },
    },
    errors: [...ofOne, 'fresh_sign_in_required'],
    targets,
  }),
};
