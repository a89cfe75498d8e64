import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedUsage } from './quota/stored-usage.ts';
import { storedCollections } from './storage/stored-collection.ts';
import { storedHeads } from './storage/stored-head.ts';
import { storedRevisions } from './storage/stored-revision.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedCollections,
  storedHeads,
  storedRevisions,
  storedUsage,
  storedCheckpoint,
];
