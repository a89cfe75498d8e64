import { defineMemberRoute } from '@action-platform/contracts';
import { z } from 'zod';

const note = z.strictObject({ id: z.string(), text: z.string() });
const example = { note: { id: 'note_1', text: 'Buy milk' } };
const id = z.string().meta({ description: 'The id of a note.', examples: ['note_1'] });
const text = z
  .string()
  .max(100)
  .meta({ description: 'What it says.', examples: ['Buy milk'] });

const all = { service: 'events', path: '/api/v1/notes' } as const;
const one = { ...all, path: '/api/v1/notes/{id}', errors: ['route_not_found'] } as const;

/** A resource that no service has: Members keep notes. */
export const noteRoutes = {
  list: defineMemberRoute({
    ...all,
    id: 'events.list_notes',
    method: 'get',
    title: 'List notes',
    description: 'All of them.',
    input: z.strictObject({
      most: z
        .int()
        .default(10)
        .meta({ description: 'How many.', examples: [5] }),
    }),
    output: z.strictObject({ notes: z.array(note) }),
    answer: { description: 'The notes.', example: { notes: [example.note] } },
  }),
  create: defineMemberRoute({
    ...all,
    id: 'events.create_note',
    method: 'post',
    title: 'Create a note',
    description: 'A repetition with its idempotencyKey gives the same answer.',
    input: z.strictObject({ text, idempotencyKey: text.optional() }),
    example: { text: 'Buy milk' },
    output: z.strictObject({ note }),
    answer: { status: 201, description: 'The note.', example },
    targets: (_input, result) => [result?.note.id],
  }),
  change: defineMemberRoute({
    ...one,
    id: 'events.change_note',
    method: 'patch',
    title: 'Change a note',
    description: 'Changes its text.',
    input: z.strictObject({ id, text }),
    example: { text: 'Buy bread' },
    output: z.strictObject({ note }),
    answer: { description: 'The note.', example },
  }),
  replace: defineMemberRoute({
    ...one,
    id: 'events.replace_note',
    method: 'put',
    title: 'Replace a note',
    description: 'A person replaces the whole of it.',
    role: 'owner',
    freshSignIn: true,
    input: z.strictObject({ id, text }),
    example: { text: 'Buy bread' },
    output: z.strictObject({ note }),
    answer: { description: 'The note.', example },
  }),
};
