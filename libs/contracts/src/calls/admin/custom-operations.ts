import { z } from 'zod';
import { customOperationRoutes as routes } from '../../resources/custom-operations.ts';
import { field } from '../../schema/fields.ts';
import { defineCommandOf } from './command-of.ts';
import { workspace } from './fields.ts';

export const listCustomOperationsOf = defineCommandOf(routes.list, {
  id: 'admin.grants.list_custom_operations',
  command: 'custom-operation list',
  columns: ['id', 'status', 'revision', 'effect', 'url', 'updatedBy', 'updatedAt'],
  input: z.object({ workspace }),
});

export const removeCustomOperationOf = defineCommandOf(routes.remove, {
  id: 'admin.grants.remove_custom_operation',
  command: 'custom-operation remove',
  summary: 'Removes a custom operation; the next call of it fails.',
  input: z.object({
    workspace,
    operation: field(z.string(), 'Its id, such as custom.refund_order.'),
  }),
  targets: (_input, result) => [result?.operation.definitionId],
});
