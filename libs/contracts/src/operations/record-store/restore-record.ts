import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import { collectionScope, record, recordErrors, recordReference, recordTargets } from './shapes.ts';

export const restoreRecord = defineOperation({
  id: 'record_store.restore_record',
  service: 'record-store',
  title: 'Restore a Record',
  description: 'Puts an archived Record back into use. Safe to repeat.',
  availability: 'workspace_member',
  effect: 'write',
  idempotent: 'always',
  input: z.strictObject(recordReference),
  example: exampleReference,
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3) },
  errors: [...recordErrors, 'record_store_member_writes_disabled'],
  dataScope: collectionScope,
  targets: recordTargets,
});
