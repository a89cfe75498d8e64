import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';
import { customOperationRoutes } from '../../resources/custom-operations.ts';
import { field } from '../../schema/fields.ts';
import { workspace } from './fields.ts';

export const listCustomOperationsOf = defineCommand({
  id: 'admin.grants.list_custom_operations',
  command: 'custom-operation list',
  summary: 'Lists the custom operations of a Workspace, removed ones included, without their schemas.',
  columns: ['id', 'status', 'revision', 'effect', 'url', 'updatedBy', 'updatedAt'],
  effect: 'read',
  input: z.object({ workspace }),
  output: z.object(customOperationRoutes.list.output.shape),
});

export const removeCustomOperationOf = defineCommand({
  id: 'admin.grants.remove_custom_operation',
  command: 'custom-operation remove',
  summary: 'Removes a custom operation; the next call of it fails.',
  effect: 'write',
  input: z.object({
    workspace,
    operation: field(z.string(), 'Its id, such as custom.refund_order.'),
  }),
  output: z.object(customOperationRoutes.get.output.shape),
  targets: (_input, result) => [result?.operation.definitionId],
});
