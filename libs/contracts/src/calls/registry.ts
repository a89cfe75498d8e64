import { services } from '../services.ts';
import * as admin from './admin/declared.ts';
import { authorize, discover, grantedData, knownMembers } from './authority.ts';
import type { Call, Command } from './call.ts';
import { grantCalls } from './grants.ts';
import { healthCall } from './health.ts';
import { findCollections, findSenders } from './visible-data.ts';

/** Every call on the bus that is not an operation. */
export const calls: readonly Call[] = [
  authorize,
  discover,
  grantedData,
  knownMembers,
  ...Object.values(grantCalls).flatMap((ofKind): Call[] => Object.values(ofKind)),
  findCollections,
  findSenders,
  ...Object.values<Call>(admin),
  ...services.map(healthCall),
];

/** The calls that operators make, each with its command. */
export const operatorCalls: readonly (Call & { readonly command: Command })[] = calls.filter(
  (call): call is Call & { readonly command: Command } => call.command !== undefined,
);
