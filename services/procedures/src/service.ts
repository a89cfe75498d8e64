import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import { serveCreateDraft } from './operations/create-draft.ts';
import { openProcedures } from './procedures/stored-procedure.ts';

/** Draft Procedure documents of Workspaces. */
export const procedures: ServiceDefinition = {
  name: 'procedures',
  config: commonConfig,
  start: async ({ openDatabase }) => {
    const { db } = await openDatabase();
    return { operations: [serveCreateDraft(await openProcedures(db))] };
  },
};
