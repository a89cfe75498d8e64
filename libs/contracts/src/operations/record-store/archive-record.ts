import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import { expectedVersion, onRecords, record, recordErrors, recordReference } from './shapes.ts';

export const archiveRecord = defineOperation({
  ...onRecords,
  id: 'record_store.archive_record',
  title: 'Archive a Record',
  description: 'Takes a Record out of use: it can still be read, restored or deleted. Safe to repeat.',
  effect: 'write',
  input: z.strictObject({ ...recordReference, expected_version: expectedVersion }),
  example: exampleReference,
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3, 'archived') },
  errors: [...recordErrors, 'record_store_stale_version', 'record_store_member_writes_disabled'],
});
