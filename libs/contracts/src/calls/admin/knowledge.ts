import { z } from 'zod';
import { text } from '../../schema/text.ts';
import { defineCommand } from '../call.ts';
import { user, workspace } from './fields.ts';

export const addFile = defineCommand({
  name: 'add_file',
  service: 'knowledge',
  command: { name: 'files add', summary: 'Makes a file visible: to every Member, or to one of them alone.' },
  effect: 'write',
  input: z.object({
    workspace,
    user: user
      .optional()
      .meta({ description: 'The Member whose personal file it is; without one it is a company file.' }),
    path: text({ min: 1, max: 1000 }).meta({
      description: 'Its path: names joined by slashes.',
      examples: ['handbook/welcome.md'],
    }),
  }),
  output: z.object({ file: z.object({ key: z.string(), path: z.string() }) }),
});
