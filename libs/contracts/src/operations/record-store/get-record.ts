import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import { collectionScope, record, recordErrors, recordReference, recordTargets } from './shapes.ts';

export const getRecord = defineOperation({
  id: 'record_store.get_record',
  service: 'record-store',
  title: 'Get a Record',
  description: 'Returns a Record with its current payload. An archived Record can be read too.',
  availability: 'workspace_member',
  effect: 'read',
  idempotent: 'always',
  input: z.strictObject(recordReference),
  example: exampleReference,
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3) },
  errors: recordErrors,
  dataScope: collectionScope,
  targets: recordTargets,
});
