import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedConnectors } from './connectors/stored-connector.ts';
import { storedKeyCounts } from './executions/new-keys.ts';
import { storedExecutions } from './executions/stored-execution.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedConnectors,
  storedExecutions,
  storedKeyCounts,
  storedCheckpoint,
];
