import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedProcedures } from './procedures/stored-procedure.ts';

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [storedProcedures, storedCheckpoint];
