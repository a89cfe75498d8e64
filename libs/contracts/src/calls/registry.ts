import { services } from '../services.ts';
import * as admin from './admin/declared.ts';
import { exportEntries, verifyEntries } from './audit.ts';
import { authorize, discover, grantedData, knownMembers, memberRole } from './authority.ts';
import type { Call, Command } from './call.ts';
import { grantCalls } from './grants.ts';
import { healthCall } from './health.ts';
import { findCollections, findSenders } from './visible-data.ts';
import { webhookCalls } from './webhooks.ts';
import { workspaceDataCalls } from './workspace-data.ts';

/** Every call on the bus that is not an operation. */
export const calls: readonly Call[] = [
  authorize,
  discover,
  grantedData,
  knownMembers,
  memberRole,
  ...Object.values(grantCalls).flatMap((ofKind): Call[] => Object.values(ofKind)),
  exportEntries,
  verifyEntries,
  ...Object.values<Call>(webhookCalls),
  findCollections,
  findSenders,
  ...Object.values<Call>(admin),
  ...workspaceDataCalls,
  ...services.map(healthCall),
];

/** The calls that operators make, each with its command. */
export const operatorCalls: readonly (Call & { readonly command: Command })[] = calls.filter(
  (call): call is Call & { readonly command: Command } => call.command !== undefined,
);
