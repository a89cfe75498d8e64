import type { StoredDocuments } from '@action-platform/mongo';
import { storedFiles } from './files/stored-file.ts';
import { storedSources } from './s3-source/stored-source.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [storedFiles, storedSources];
