import type { StoredDocuments } from '@action-platform/mongo';
import { storedBeginnings } from './blocks/stored-beginning.ts';
import { storedBlocks, storedEnds } from './blocks/stored-block.ts';
import { storedCounts } from './counts/stored-counts.ts';
import { storedProgress } from './intake/progress.ts';
import { storedSetAside, storedStalled } from './intake/set-aside.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedBlocks,
  storedEnds,
  storedBeginnings,
  storedCounts,
  storedProgress,
  storedSetAside,
  storedStalled,
];
