import { z } from 'zod';
import { auditEntry } from '../../audit/entry.ts';
import { defineOperation } from '../../declaration/operation.ts';
import { nextCursor, paging } from '../../schema/fields.ts';
import { exampleIds } from '../record-store/examples.ts';
import { auditFilters } from './filters.ts';

const exampleEntry = {
  at: '2026-05-01T10:00:00.000Z',
  request_id: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
  user_id: 'mika',
  via: 'session',
  operation: 'record_store.push_record',
  targets: [exampleIds.collection, exampleIds.record],
  status: 200,
  code: 'ok',
  outcome: 'done',
  replayed: false,
  answered: true,
} as const;

export const listEntries = defineOperation({
  id: 'audit.list_entries',
  service: 'audit',
  title: 'List audit entries',
  description:
    "Lists the calls that wrote or were refused, newest first: for an Owner the Workspace's, for a Member their own and those of their grants, for a grant its own. Reads and many equal refusals share an entry. Follow next_cursor until it is null.",
  effect: 'read',
  input: z.strictObject({ ...auditFilters, ...paging }),
  example: { target_id: exampleIds.record },
  output: z.strictObject({ entries: z.array(auditEntry), next_cursor: nextCursor }),
  exampleResult: { entries: [exampleEntry], next_cursor: null },
});
