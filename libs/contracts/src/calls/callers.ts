import { operations } from '../operations/registry.ts';
import { type BusUser, busUsers, type ServiceName } from '../services.ts';
import { calls } from './registry.ts';

/** The bus users that may call operations or calls of a service. */
export function callersOf(service: ServiceName): readonly BusUser[] {
  const declarations = [...operations.values(), ...calls].filter((declared) => declared.service === service);
  return busUsers.filter((user) => declarations.some(({ callers }) => callers.includes(user)));
}
