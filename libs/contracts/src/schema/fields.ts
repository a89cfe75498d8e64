import { z } from 'zod';
import { text } from './text.ts';

/** A point in time: RFC 3339, UTC, with milliseconds. */
export const timestamp = z.iso
  .datetime()
  .meta({ description: 'RFC 3339 date-time in UTC.', examples: ['2026-05-01T09:30:00.000Z'] });

/** The opaque id of something that exists: what it looks like is nobody's business but its owner's. */
export const opaqueId = text({ min: 1, max: 200 });

/** How many items a page of a listing may hold. */
export const pageLimit = z.int().min(1).max(200);

/** The opaque position in a listing where its next page starts. */
export const cursor = text({ min: 1, max: 1000 });

/** The position where the next page starts, or null after the last one. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Pass it as cursor to get the next page; null after the last one.' });
