import { followChanges } from '@action-platform/change-events';
import { openIndexed } from '@action-platform/mongo';
import { Cursors } from '@action-platform/sealing';
import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import type { Dependencies } from './dependencies.ts';
import { serveCreateDraft } from './operations/create-draft.ts';
import { serveGetDraft } from './operations/get-draft.ts';
import { serveListDrafts } from './operations/list-drafts.ts';
import { procedureChanges, storedProcedures } from './procedures/stored-procedure.ts';
import { storedDocuments } from './stored-documents.ts';

/** Draft Procedure documents of Workspaces. */
export const procedures: ServiceDefinition = {
  name: 'procedures',
  config: commonConfig,
  start: async ({ config, log, bus, sealKeys, openDatabase }) => {
    const { db } = await openDatabase();
    const dependencies: Dependencies = {
      procedures: await openIndexed(db, storedProcedures),
      cursors: new Cursors(sealKeys),
      limits: config,
    };
    const changes = await followChanges({
      service: 'procedures',
      db,
      bus,
      log,
      followed: [procedureChanges],
      workspaces: { collection: 'procedures', field: 'workspace_id' },
    });
    return {
      calls: [serveCreateDraft(dependencies), serveGetDraft(dependencies), serveListDrafts(dependencies)],
      stored: { db, documents: storedDocuments },
      changes,
    };
  },
};
