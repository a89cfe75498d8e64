import { commonConfig, type ServiceDefinition } from '@action-platform/service-host';

/** Calls of a company's own endpoints. It stores nothing yet. */
export const customOperations: ServiceDefinition = {
  name: 'custom-operations',
  config: commonConfig,
  start: async ({ openDatabase }) => {
    const { db } = await openDatabase();
    return { stored: { db, documents: [] } };
  },
};
