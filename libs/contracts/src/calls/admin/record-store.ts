import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';
import { field } from '../../schema/fields.ts';
import { workspace } from './fields.ts';

const quota = z.int().min(0);

export const setQuota = defineCommand({
  id: 'admin.record-store.set_quota',
  command: 'quota set',
  summary: 'Sets how many bytes of Records a Workspace may store.',
  effect: 'write',
  input: z.object({ workspace, bytes: field(quota, 'UTF-8 bytes of all kept revisions.') }),
  output: z.object({ quota }),
});

export const showQuota = defineCommand({
  id: 'admin.record-store.show_quota',
  command: 'quota show',
  summary: 'Prints the quota of a Workspace and its used part, in bytes.',
  effect: 'read',
  input: z.object({ workspace }),
  output: z.object({ quota, stored_bytes: z.int() }),
});

export const recountQuota = defineCommand({
  id: 'admin.record-store.recount_quota',
  command: 'quota recount',
  summary: 'Recounts the stored bytes of a Workspace, and corrects its recorded usage by drift_bytes.',
  // A recount reads one point in time, which MongoDB keeps for five minutes.
  timeoutMs: 5 * 60_000,
  effect: 'write',
  input: z.object({ workspace }),
  output: z.object({ quota, stored_bytes: z.int(), drift_bytes: z.int() }),
});
