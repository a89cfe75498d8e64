import * as admin from './admin.ts';
import { authorize, discover } from './authority.ts';
import type { Call } from './call.ts';
import { createOperationGrant, createRoutineGrant, listGrants, revokeGrant } from './grants.ts';
import { healthCall } from './health.ts';
import { findSenders } from './mail.ts';
import { findCollections } from './record-store.ts';
import { services } from './services.ts';

/** Every call on the bus that is not an operation. */
export const calls: readonly Call[] = [
  authorize,
  discover,
  createOperationGrant,
  createRoutineGrant,
  listGrants,
  revokeGrant,
  findCollections,
  findSenders,
  ...Object.values(admin),
  ...services.map(healthCall),
];
