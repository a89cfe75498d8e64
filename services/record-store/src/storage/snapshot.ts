import type { ClientSession, MongoClient } from 'mongodb';

/** Options with which reads see one point in time. */
export interface Snapshot {
  readonly session: ClientSession;
  readonly readConcern: { readonly level: 'snapshot' };
}

/** Runs reads that all see the point in time of the first. */
export async function atOneTime<Result>(
  client: MongoClient,
  read: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const session = client.startSession({ snapshot: true });
  try {
    return await read({ session, readConcern: { level: 'snapshot' } });
  } finally {
    await session.endSession();
  }
}
