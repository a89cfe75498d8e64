import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import { onRecords, record, recordErrors, recordReference } from './shapes.ts';

export const getRecord = defineOperation({
  ...onRecords,
  id: 'record_store.get_record',
  title: 'Get a Record',
  description: 'Returns a Record with its current payload. An archived Record can be read too.',
  effect: 'read',
  input: z.strictObject(recordReference),
  example: exampleReference,
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3) },
  errors: recordErrors,
});
