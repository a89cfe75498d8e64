import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { field, opaqueId } from '../../schema/fields.ts';

/** The largest file whose text is returned, in bytes. */
export const FILE_TEXT_MAX_BYTES = 1024 * 1024;

const key = 'fil_0198f2d4b7d0';

export const getFile = defineOperation({
  id: 'knowledge.get_file',
  title: 'Get a file',
  description: 'Returns a visible file: its text when that is UTF-8 of at most 1 MiB.',
  effect: 'read',
  input: z.strictObject({
    key: field(opaqueId, 'The key of a file, from knowledge.list_visible_files.', key),
  }),
  output: z.strictObject({
    file: z.strictObject({
      key: z.string(),
      path: z.string(),
      media_type: field(z.string(), 'By the name of the file.'),
      bytes: z.int().min(0),
      text: field(
        z.string().optional(),
        'The whole content, a byte order mark included; absent when it is not UTF-8, or larger than 1 MiB.',
      ),
    }),
  }),
  exampleResult: {
    file: {
      ...{ key, path: 'handbook/travel.md', media_type: 'text/markdown', bytes: 25 },
      text: '# Travel\n\nBook by train.\n',
    },
  },
  errors: ['knowledge_file_not_found'],
  // A key does not tell its group, so the handler looks among the files that the grant reaches.
  dataScope: { kind: 'fileScopes' },
});
