import { operations } from '../operations/registry.ts';
import { type BusUser, busUsers, type ServiceName } from '../services.ts';
import { calls } from './registry.ts';

/** The users who may call a service: its operations, or its calls. */
export function askersOf(service: ServiceName): readonly BusUser[] {
  const asked = [...operations.values(), ...calls].filter((declared) => declared.service === service);
  return busUsers.filter((user) => asked.some(({ callers }) => callers.includes(user)));
}
