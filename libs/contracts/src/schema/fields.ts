import { z } from 'zod';
import { exampleId, type idPrefixes } from '../ids/ids.ts';
import { KEY_MAX_LENGTH } from '../limits/limits.ts';
import { text } from './text.ts';

/** A field with its description for clients; a field of an input has an example, too. */
export function field<Schema extends z.ZodType>(schema: Schema, description: string, ...examples: unknown[]) {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** A point in time: RFC 3339, UTC, with milliseconds. */
export const timestamp = field(z.iso.datetime(), 'RFC 3339 date-time in UTC.', '2026-05-01T09:30:00.000Z');

/** RFC 3339, section 5.6: `T` and `Z` may be in either case. */
const rfc3339 = new RegExp(
  z.regexes.datetime({ offset: true }).source.replace('T', '[Tt]').replace('Z', '[Zz]'),
);

/** A point in time in a request: RFC 3339 with any offset. Read it with `new Date(value.toUpperCase())`. */
export const dateTime = z
  .string()
  .regex(rfc3339, 'must be an RFC 3339 date-time')
  .meta({ format: 'date-time' });

/** A point in time in a request, or a day of UTC. */
export const dateTimeOrDay = z
  .string()
  .max(100)
  .regex(
    new RegExp(`${rfc3339.source}|${z.regexes.date.source}`),
    'must be an RFC 3339 date-time, or a date',
  );

/** The opaque id of an existing thing: only its owner knows its form. */
export const opaqueId = text({ min: 1, max: 200 });

/** The user id of a Member: the claim `sub` of their session tokens. */
export const userId = text({ min: 1, max: 255 });

/** An idempotency key, or the name of a run of a routine grant. */
export const key = text({ min: 1, max: KEY_MAX_LENGTH });

/** The id of a thing of this kind in the path of a route. */
export function pathId(description: string, kind: keyof typeof idPrefixes) {
  return field(z.string(), description, exampleId(kind));
}

/** A field of a change: absent it stays as it is, and null removes it. */
export function optionalOrNull<Field extends z.ZodType>(field: Field, description?: string) {
  const meta = field.meta();
  return field
    .nullable()
    .optional()
    .meta({ ...meta, ...(description !== undefined && { description }) });
}

/** How many items a page of a listing may hold. */
export const pageLimit = field(z.int().min(1).max(200), 'The most items of the page.', 50);

/** The opaque position in a listing where its next page starts. */
export const cursor = field(
  // A position may hold a user id of 255 characters.
  text({ min: 1, max: 1400 }),
  'The next cursor of the page before.',
  'WyIyMDI2LTA1LTAxIiwicmVjXzAxOThmMmQxIl0',
);

/** The fields of an input for a page of a listing. */
export const paging = { limit: pageLimit.default(50), cursor: cursor.optional() };

/** The position where the next page starts, or null after the last one. */
export const nextCursor = field(
  z.string().nullable(),
  'Pass it as cursor to get the next page; null after the last one.',
);
