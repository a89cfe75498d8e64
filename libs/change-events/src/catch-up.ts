import { inBackground } from '@action-platform/contracts/calls';
import type { Change } from '@action-platform/contracts/change-events';
import type { ServiceName } from '@action-platform/contracts/services';
import { within } from '@action-platform/mongo';
import { type Db, type Document, MongoServerError, type Timestamp } from 'mongodb';
import type { Followed } from './followed.ts';
import { type EncodedEvent, encodedEvent, isWorkspaceId } from './messages.ts';

const PAGE_SIZE = 500;
/** The clocks of replicas, which date changes, may differ from each other by so much, in milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;
/** SnapshotTooOld. */
const SNAPSHOT_TOO_OLD = 239;

/** The collection and the field that name every Workspace of which a service stores something. */
export interface Workspaces {
  readonly collection: string;
  readonly field: string;
}

/** The gap of a service's events for a Workspace. */
export function gapOf(service: ServiceName, gap: Pick<Change, 'workspaceId' | 'distinct' | 'time'>): Change {
  return { ...gap, type: 'feed.gap', subject: service, data: { actor: {} } };
}

/** The gap of a service's events, for every Workspace, in batches. @param gap distinguishes it from other gaps */
export async function* gapsOf(
  service: ServiceName,
  db: Db,
  { collection, field }: Workspaces,
  gap: string,
): AsyncGenerator<EncodedEvent[]> {
  const all = db
    .collection(collection)
    .aggregate<{ _id: unknown }>([{ $group: { _id: `$${field}` } }], within(inBackground));
  const time = new Date();
  let batch: EncodedEvent[] = [];
  for await (const { _id: workspaceId } of all) {
    if (!isWorkspaceId(workspaceId)) continue;
    batch.push(encodedEvent(service, gapOf(service, { workspaceId, time, distinct: gap })));
    if (batch.length < PAGE_SIZE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

interface Told {
  readonly db: Db;
  readonly service: ServiceName;
  readonly followed: readonly Followed[];
  readonly since: Date;
  readonly at: Timestamp;
}

/**
 * The events of the changes since a time that the documents still tell of, in batches: of a Record the last one. All documents are read as
 * they were at one time, from which a change stream goes on, so no change is published before an earlier one of the same thing.
 *
 * @param onUnreadable gets the error of a document that cannot become events, and its id; the others go on.
 */
export async function* eventsSince(
  { db, service, followed, since, at }: Told,
  onUnreadable: (err: unknown, collection: string, id: unknown) => void,
): AsyncGenerator<EncodedEvent[]> {
  const earliest = new Date(since.getTime() - CLOCKS_DIFFER_MS);
  for (const each of followed) {
    for await (const documents of pagesOf(db, each, at)) {
      yield documents.flatMap((document) => {
        try {
          const changes = each.changesOf(document).filter(({ time }) => time >= earliest);
          return changes.map((change) => encodedEvent(service, change));
        } catch (err) {
          onUnreadable(err, each.collection, document._id);
          return [];
        }
      });
    }
  }
}

/** All documents of a collection, in the order of their ids. */
async function* pagesOf(db: Db, { collection, fields }: Followed, at: Timestamp): AsyncGenerator<Document[]> {
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  let readConcern: Document = { level: 'snapshot', atClusterTime: at };
  for (let filter: Document = {}; ; ) {
    const page = { find: collection, filter, projection, sort: { _id: 1 }, limit: PAGE_SIZE };
    let documents: Document[];
    try {
      const answer = { singleBatch: true, batchSize: PAGE_SIZE, readConcern, ...within(inBackground) };
      documents = (await db.command({ ...page, ...answer })).cursor.firstBatch;
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== SNAPSHOT_TOO_OLD) throw error;
      // The database keeps its past for five minutes. In a larger one, a change may be published before an earlier one.
      readConcern = { level: 'majority' };
      continue;
    }
    if (documents.length > 0) yield documents;
    if (documents.length < PAGE_SIZE) return;
    filter = { _id: { $gt: documents.at(-1)!._id } };
  }
}
