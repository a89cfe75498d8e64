import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { opaqueId } from '../../schema/fields.ts';
import { exampleIds, exampleReference } from './examples.ts';
import { onRecords, recordErrors, recordReference } from './shapes.ts';

export const deleteRecord = defineOperation({
  ...onRecords,
  id: 'record_store.delete_record',
  title: 'Delete a Record permanently',
  description:
    'Deletes an archived Record with its whole history and gives its bytes back to the quota. It cannot be undone. Safe to repeat.',
  availability: 'owner_workspace',
  effect: 'write',
  isDestructive: true,
  input: z.strictObject(recordReference),
  example: exampleReference,
  output: z.strictObject({ deleted: z.strictObject({ id: opaqueId }) }),
  exampleResult: { deleted: { id: exampleIds.record } },
  errors: [...recordErrors, 'record_store_record_not_archived'],
});
