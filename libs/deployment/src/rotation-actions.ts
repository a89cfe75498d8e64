import type { Rotatable } from './deployment.ts';
import type { RotationStep } from './rotation.ts';

/**
 * An action of an operator on a running deployment after a step of a rotation: make each nats-server, or each mongod, reload its
 * files; create and drop users in MongoDB; restart gateways and services.
 */
export type RotationAction = 'reload-bus' | 'reload-databases' | 'database-users' | 'restart';

const SERVERS = ['reload-bus', 'reload-databases'] as const;

/** The actions that each step of a rotation requires, in this order, before the next step. */
export const rotationActions: Readonly<
  Record<Rotatable, Readonly<Record<RotationStep, readonly RotationAction[]>>>
> = {
  keys: { add: ['reload-bus'], use: ['restart'], remove: ['reload-bus'] },
  'database-users': { add: ['database-users'], use: ['restart'], remove: ['database-users'] },
  certificates: { add: [...SERVERS, 'restart'], use: SERVERS, remove: [...SERVERS, 'restart'] },
};
