import type { Rotatable } from './deployment.ts';
import type { RotationStep } from './rotation.ts';

/**
 * What is done to a running deployment: each nats-server, or each mongod, reads its files again; the users in MongoDB are made those
 * of the deployment; gateways and services are restarted.
 */
export type Chore = 'reload-bus' | 'reload-databases' | 'database-users' | 'restart';

const SERVERS = ['reload-bus', 'reload-databases'] as const;

/** What each step of a rotation takes, in this order, before the next. */
export const choresAfter: Readonly<Record<Rotatable, Readonly<Record<RotationStep, readonly Chore[]>>>> = {
  keys: { add: ['reload-bus'], use: ['restart'], remove: ['reload-bus'] },
  'database-users': { add: ['database-users'], use: ['restart'], remove: ['database-users'] },
  certificates: { add: [...SERVERS, 'restart'], use: SERVERS, remove: [...SERVERS, 'restart'] },
};
