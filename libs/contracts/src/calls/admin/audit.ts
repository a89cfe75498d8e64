import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';
import { field } from '../../schema/fields.ts';
import { workspace } from './fields.ts';

const number = z.int().min(0);

export const verifyAudit = defineCommand({
  id: 'admin.audit.verify',
  command: 'audit verify',
  summary:
    'Verifies the audit log of a Workspace, and names each block that was changed, removed, swapped or added; then it exits with 1. Keep the printed hash elsewhere: a verification with it also finds a log that was set back.',
  isFailure: ({ valid }) => valid === false,
  // A log of 400 days may have some thirty million blocks.
  timeoutMs: 4 * 3_600_000,
  effect: 'read',
  input: z.object({
    workspace,
    block: field(number.optional(), 'The number of a block whose hash is known.'),
    hash: field(z.string().optional(), 'The hash of that block, from an earlier verification.'),
  }),
  output: z.object({
    valid: z.boolean(),
    blocks: number,
    entries: number,
    first_block: number.nullable(),
    last_block: number.nullable(),
    hash: field(z.string(), 'The hash of the last block.'),
    found: field(
      z.array(
        z.object({
          block: number.optional(),
          problem: z.enum([
            'changed',
            'removed',
            'swapped',
            'added',
            'unknown_key',
            'end_changed',
            'end_removed',
          ]),
          to: field(number.optional(), 'The last one of several removed blocks.'),
          id: field(z.string().optional(), 'Of an added document that is no block.'),
        }),
      ),
      'At most 100.',
    ),
  }),
});
