import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';
import type { Dependencies } from './dependencies.ts';
import { serveCreateDraft } from './operations/create-draft.ts';
import { openProcedures } from './procedures/stored-procedure.ts';

/** Draft Procedure documents of Workspaces. */
export const procedures: ServiceDefinition = {
  name: 'procedures',
  config: commonConfig,
  start: async ({ config, openDatabase }) => {
    const { db } = await openDatabase();
    const dependencies: Dependencies = { procedures: await openProcedures(db), limits: config };
    return { operations: [serveCreateDraft(dependencies)] };
  },
};
