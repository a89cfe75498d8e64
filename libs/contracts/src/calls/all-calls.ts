import type { Call } from '../declaration/call.ts';
import type { Command } from '../declaration/command.ts';
import { operations } from '../operations/all-operations.ts';
import { customCall } from '../operations/custom/operation-of.ts';
import { memberRoutes } from '../resources/all-resources.ts';
import { type BusUser, busUsers, type ServiceName, services } from '../services/services.ts';
import * as declared from './declared.ts';
import { healthCall } from './health.ts';
import { workspaceDataCalls } from './workspace-data.ts';

/** Everything that the services answer. */
export const calls: readonly Call[] = [
  ...operations.values(),
  customCall,
  ...memberRoutes,
  ...Object.values<Call>(declared),
  ...workspaceDataCalls,
  ...services.map(healthCall),
];

/** The calls that operators make, each with its command. */
export const operatorCalls: readonly Command[] = calls.filter(
  (call): call is Command => call.audience === 'operator',
);

/** The bus users that may call a service. */
export function callersOf(service: ServiceName): readonly BusUser[] {
  const served = calls.filter((call) => call.service === service);
  return busUsers.filter((user) => served.some(({ callers }) => callers.includes(user)));
}
