import { followChanges } from '@action-platform/change-events';
import { type Database, openIndexed } from '@action-platform/mongo';
import { Cursors, type SecretKeys } from '@action-platform/sealing';
import {
  type CommonConfig,
  commonConfig,
  type Logger,
  type ServiceDefinition,
} from '@action-platform/service-host';
import { serveQuotaCommands } from './admin/quota.ts';
import { serveFindCollections } from './calls/find-collections.ts';
import type { Dependencies } from './dependencies.ts';
import { serveArchiveRecord } from './operations/archive-record.ts';
import { serveCreateCollection } from './operations/create-collection.ts';
import { serveDeleteRecord } from './operations/delete-record.ts';
import { serveGetRecord } from './operations/get-record.ts';
import { serveGetRecordHistory } from './operations/get-record-history.ts';
import { serveGetRecords } from './operations/get-records.ts';
import { serveGetUsage } from './operations/get-usage.ts';
import { serveListCollections } from './operations/list-collections.ts';
import { serveListRecords } from './operations/list-records.ts';
import { servePatchRecord } from './operations/patch-record.ts';
import { servePushRecord } from './operations/push-record.ts';
import { servePushRecords } from './operations/push-records.ts';
import { serveReplaceRecord } from './operations/replace-record.ts';
import { serveRestoreRecord } from './operations/restore-record.ts';
import { Quota } from './quota/quota.ts';
import { storedUsage } from './quota/stored-usage.ts';
import { Usages } from './quota/usages.ts';
import { RecordOutcomes } from './recovery/record-outcomes.ts';
import { startRecovering } from './recovery/recovering.ts';
import { Collections } from './storage/collections.ts';
import { Heads } from './storage/heads.ts';
import { recordChanges } from './storage/record-changes.ts';
import { Revisions } from './storage/revisions.ts';
import { collectionChanges, storedCollections } from './storage/stored-collection.ts';
import { type StoredHead, storedHeads } from './storage/stored-head.ts';
import { storedRevisions } from './storage/stored-revision.ts';
import { storedDocuments } from './stored-documents.ts';

/** The Workspace Record Store: Collections, their Records with all revisions, and the quota of stored bytes. */
export const recordStore: ServiceDefinition = {
  name: 'record-store',
  config: commonConfig,
  start: async ({ config, log, bus, sealKeys, openDatabase }) => {
    const database = await openDatabase();
    const dependencies = await buildDependencies(database, config, sealKeys, log);
    const changes = await followChanges({
      service: 'record-store',
      db: database.db,
      bus,
      log,
      followed: [recordChanges, collectionChanges],
      workspaces: { collection: 'collections', field: 'workspace_id' },
    });
    const recovering = startRecovering(dependencies);
    return {
      calls: [
        serveCreateCollection(dependencies),
        serveListCollections(dependencies),
        servePushRecord(dependencies),
        servePushRecords(dependencies),
        serveGetRecord(dependencies),
        serveGetRecords(dependencies),
        serveGetRecordHistory(dependencies),
        serveListRecords(dependencies),
        serveReplaceRecord(dependencies),
        servePatchRecord(dependencies),
        serveArchiveRecord(dependencies),
        serveRestoreRecord(dependencies),
        serveDeleteRecord(dependencies),
        serveGetUsage(dependencies),
        ...serveQuotaCommands(dependencies),
        serveFindCollections(dependencies),
      ],
      collections: (workspaceId, ids, context) => dependencies.collections.find(workspaceId, ids, context),
      stored: { db: database.db, documents: storedDocuments },
      changes,
      flush: async () => {
        await recovering.stop();
        await dependencies.quota.flush();
      },
    };
  },
};

/**
 * Opens the database's collections and builds the dependencies of the handlers.
 *
 * `workspace_id` leads the indexes and is in the filter of every query that a caller waits for, because it is the
 * shard key: each call then reads and writes one shard. A unique index on a sharded collection must begin with the
 * whole shard key, so the key is `{ workspace_id: 1 }` alone (for `usage`, whose ids are Workspaces, `{ _id: 1 }`).
 * Therefore a Workspace must fit on one shard. Only recovery queries all shards.
 */
export async function buildDependencies(
  { client, db }: Database,
  limits: CommonConfig,
  sealKeys: SecretKeys,
  log: Logger,
): Promise<Dependencies> {
  const [collections, heads, revisions, usage] = await Promise.all([
    openIndexed(db, storedCollections),
    openIndexed<StoredHead>(db, storedHeads),
    openIndexed(db, storedRevisions),
    openIndexed(db, storedUsage),
  ]);
  const outcomes = new RecordOutcomes(heads, revisions);
  const {
    WORKSPACE_QUOTA_BYTES: defaultQuota,
    WORKSPACE_REVISIONS_MAX: mostRevisions,
    RECORD_PAYLOAD_MAX_BYTES: largestChange,
  } = limits;
  return {
    limits,
    log,
    client,
    cursors: new Cursors(sealKeys),
    collections: new Collections(collections, limits),
    heads: new Heads(heads),
    revisions: new Revisions(revisions),
    quota: new Quota({ usage, outcomes, defaultQuota, mostRevisions, largestChange, log }),
    usages: new Usages(usage, outcomes, defaultQuota),
  };
}
