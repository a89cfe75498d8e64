import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';
import { OPERATOR_LIST_MAX } from '../../limits/limits.ts';
import { field } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import { user, workspace } from './fields.ts';

const path = text({ min: 1, max: 1000 }).meta({ examples: ['handbook/welcome.md'] });
const file = z.object({ key: z.string(), path: z.string() });

export const addFile = defineCommand({
  id: 'admin.knowledge.add_file',
  command: 'files add',
  summary: 'Makes a file visible: to every Member, or to one of them alone.',
  effect: 'write',
  input: z.object({
    workspace,
    user: field(user.optional(), 'The Member whose personal file it is; without one it is a company file.'),
    path: field(path, 'Its path: names joined by slashes.'),
  }),
  output: z.object({ file }),
});

export const forgetFiles = defineCommand({
  id: 'admin.knowledge.forget_files',
  command: 'files forget',
  summary:
    'Removes the files of FILES_DIR or FILES_S3_BUCKET from every listing, after it was emptied or abandoned on purpose; those added by hand stay.',
  effect: 'write',
  input: z.object({}),
  output: z.object({ forgotten: z.literal(true) }),
});

export const refreshFiles = defineCommand({
  id: 'admin.knowledge.refresh_files',
  command: 'files refresh',
  summary: 'Scans FILES_DIR and FILES_S3_BUCKET now, without waiting for their next scan.',
  effect: 'write',
  input: z.object({}),
  output: z.object({
    refreshing: field(z.array(z.string()), 'The variables of the scanned sources.'),
  }),
});

export const listFiles = defineCommand({
  id: 'admin.knowledge.list_files',
  command: 'files list',
  summary: `Lists the company files of a Workspace, or the personal ones of a Member, by path, at most ${OPERATOR_LIST_MAX}.`,
  effect: 'read',
  input: z.object({
    workspace,
    user: field(
      user.optional(),
      'The Member whose personal files are listed; without one the company files are.',
    ),
    after: field(path.optional(), 'Begins after this path: the next_after of the list before.'),
  }),
  output: z.object({
    files: z.array(file),
    next_after: field(z.string().nullable(), 'The last path when there are more; else null.'),
  }),
});
