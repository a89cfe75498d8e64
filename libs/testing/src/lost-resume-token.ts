import { randomUUID } from 'node:crypto';
import type { Db, Document } from 'mongodb';

/** A resume token of a change that the oplog does not have: that of a real change, dated an hour earlier. */
export async function lostResumeToken(db: Db): Promise<Document> {
  const { operationTime: startAtOperationTime } = await db.command({ ping: 1 });
  const changed = db.collection(randomUUID());
  await changed.insertOne({});
  const changes = db.watch([], { startAtOperationTime });
  const { _data } = (await changes.next())._id as { _data: string };
  await changes.close();
  await changed.drop();
  // A token begins with a type, 82, and the seconds of its time as 8 hexadecimal digits.
  const earlier = Number.parseInt(_data.slice(2, 10), 16) - 3_600;
  return { _data: `82${earlier.toString(16).toUpperCase()}${_data.slice(10)}` };
}
