import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import { serveFindCollections } from './calls/find-collections.ts';
import { serveSetQuota } from './calls/set-quota.ts';
import { serveShowQuota } from './calls/show-quota.ts';
import { openDocuments } from './database/open-documents.ts';
import { serveArchiveRecord } from './operations/archive-record.ts';
import { serveCreateCollection } from './operations/create-collection.ts';
import { serveDeleteRecord } from './operations/delete-record.ts';
import { serveGetRecord } from './operations/get-record.ts';
import { serveGetRecordHistory } from './operations/get-record-history.ts';
import { serveListCollections } from './operations/list-collections.ts';
import { serveListRecords } from './operations/list-records.ts';
import { servePatchRecord } from './operations/patch-record.ts';
import { servePushRecord } from './operations/push-record.ts';
import { serveReplaceRecord } from './operations/replace-record.ts';
import { serveRestoreRecord } from './operations/restore-record.ts';
import { startRepairing } from './repair/repairing.ts';
import { createStore } from './store.ts';

/** The Workspace Record Store: Collections, their Records with all revisions, and the quota of stored bytes. */
export const recordStore: ServiceDefinition = {
  name: 'record-store',
  config: commonConfig,
  start: async ({ config, log, openDatabase }) => {
    const store = createStore(await openDocuments(await openDatabase()), config, log);
    const repairing = startRepairing(store, log);
    return {
      operations: [
        serveCreateCollection(store),
        serveListCollections(store),
        servePushRecord(store),
        serveGetRecord(store),
        serveGetRecordHistory(store),
        serveListRecords(store),
        serveReplaceRecord(store),
        servePatchRecord(store),
        serveArchiveRecord(store),
        serveRestoreRecord(store),
        serveDeleteRecord(store),
      ],
      calls: [serveSetQuota(store), serveShowQuota(store), serveFindCollections(store)],
      flush: async () => {
        await repairing.stop();
        await store.quota.flush();
      },
    };
  },
};
