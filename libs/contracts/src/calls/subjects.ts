import { serviceOf } from '../operations/operation.ts';
import { operations } from '../operations/registry.ts';
import type { BusUser } from './bus-users.ts';
import { calls } from './registry.ts';

/** The subject that an operation is called on. */
export function operationSubject(operationId: string): string {
  return `op.${operationId}`;
}

/** The prefix of the subjects on which a bus user, and nobody else, receives replies. */
export function inboxPrefix(user: BusUser): string {
  return `_INBOX_${user}`;
}

/** What a bus user may do. Replies to what it received are always allowed. */
export interface SubjectPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The least a bus user needs: to call what names it as a caller, to serve what is its own, to get replies. */
export function permissionsOf(user: BusUser): SubjectPermissions {
  const called = calls.filter((call) => call.callers.includes(user)).map((call) => call.subject);
  const served = calls.filter((call) => call.service === user).map((call) => call.subject);
  const ownOperations = [...operations.keys()].filter((id) => serviceOf(id) === user).map(operationSubject);
  return {
    publish: user === 'gateway' ? ['op.>', ...called] : called,
    subscribe: [...served, ...ownOperations, `${inboxPrefix(user)}.>`],
  };
}
