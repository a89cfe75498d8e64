import { isIdOf } from '../ids/ids.ts';
import { type GrantKind, grantKind } from './principal.ts';

/** The kinds of grants outside of the service: the kind of their ids, and their names in the audit log. */
export const grantKinds = {
  operation: { id: 'operationGrant', via: 'operation_grant' },
  routine: { id: 'routineGrant', via: 'routine_grant' },
  agent: { id: 'agentGrant', via: 'agent_grant' },
} as const satisfies Readonly<Record<GrantKind, object>>;

/** The kind of the grant with an id; a text that is no id of a grant counts as one of the first kind. */
export function kindOfGrant(id: string): GrantKind {
  return grantKind.options.find((kind) => isIdOf(grantKinds[kind].id, id)) ?? 'operation';
}
