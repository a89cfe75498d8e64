import { z } from 'zod';
import { fileScope } from '../../authority/principal.ts';
import { defineOperation } from '../../declaration/operation.ts';
import { field } from '../../schema/fields.ts';

const visibleFileGroup = z.strictObject({
  label: z.enum(['Company Files', 'Personal Files']),
  files: z.array(z.strictObject({ key: z.string(), path: z.string() })),
});

export const listVisibleFiles = defineOperation({
  id: 'knowledge.list_visible_files',
  title: 'List visible files',
  description:
    'Lists the key and path of every file the caller can see: Company Files, and the Personal Files of the Member it acts for. It does not read what the files contain.',
  effect: 'read',
  input: z.strictObject({
    scope: field(z.enum([...fileScope.options, 'all']).default('all'), 'Which files to list.', 'company'),
  }),
  example: { scope: 'all' },
  output: z.strictObject({ groups: z.array(visibleFileGroup) }),
  exampleResult: {
    groups: [
      { label: 'Company Files', files: [{ key: 'fil_0198f2d4b7d0', path: 'handbook/travel.md' }] },
      { label: 'Personal Files', files: [{ key: 'fil_0198f2d4c1e8', path: 'notes/monday.txt' }] },
    ],
  },
  dataScope: {
    kind: 'fileScopes',
    // Like every listing, `all` returns the part within the scope of the grant.
    reached: (input) => (input.scope === 'all' ? [] : [input.scope]),
  },
});
