import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import { onRecords, record, recordErrors, recordReference } from './shapes.ts';

export const restoreRecord = defineOperation({
  ...onRecords,
  id: 'record_store.restore_record',
  title: 'Restore a Record',
  description: 'Puts an archived Record back into use. Safe to repeat.',
  effect: 'write',
  input: z.strictObject(recordReference),
  example: exampleReference,
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3) },
  errors: [...recordErrors, 'record_store_member_writes_disabled'],
});
