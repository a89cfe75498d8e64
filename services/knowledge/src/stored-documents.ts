import type { StoredDocuments } from '@action-platform/mongo';
import { storedFiles } from './files/stored-file.ts';
import { storedSources } from './sources/source-state.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [storedFiles, storedSources];
