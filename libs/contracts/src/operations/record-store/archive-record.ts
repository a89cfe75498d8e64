import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleRecord, exampleReference } from './examples.ts';
import {
  collectionScope,
  expectedVersion,
  record,
  recordErrors,
  recordReference,
  recordTargets,
} from './shapes.ts';

export const archiveRecord = defineOperation({
  id: 'record_store.archive_record',
  service: 'record-store',
  title: 'Archive a Record',
  description: 'Takes a Record out of use: it can still be read, restored or deleted. Safe to repeat.',
  availability: 'workspace_member',
  effect: 'write',
  idempotent: 'always',
  input: z.strictObject({ ...recordReference, expected_version: expectedVersion }),
  example: exampleReference,
  output: z.strictObject({ record }),
  exampleResult: { record: exampleRecord(3, 'archived') },
  errors: [...recordErrors, 'record_store_stale_version', 'record_store_member_writes_disabled'],
  dataScope: collectionScope,
  targets: recordTargets,
});
