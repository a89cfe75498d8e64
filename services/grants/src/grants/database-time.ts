import type { Timed } from '@action-platform/contracts/calls';
import { within } from '@action-platform/mongo';
import type { Db } from 'mongodb';

/**
 * The time by the clock of the database. This clock decides whether a grant has expired and whether a run has left the
 * window of a cadence, so the clocks of replicas need not agree.
 */
export async function databaseTime(db: Db, timed: Timed): Promise<Date> {
  const [row] = await db
    .aggregate<{ now: Date }>([{ $documents: [{}] }, { $project: { now: '$$NOW' } }], within(timed))
    .toArray();
  return row!.now;
}

/** The pipeline stage that adds the time of the read to each document, by the clock of the database. */
export const withTimeOfReading = { $addFields: { as_of: '$$NOW' } } as const;

/** A document with the time of its read. */
export type AsOf<Document> = Document & { readonly as_of: Date };
