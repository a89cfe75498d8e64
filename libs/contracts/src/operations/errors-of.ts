import type { ErrorCode } from '../errors/catalogue.ts';
import { bodyErrors, credentialErrors, platformFailures, standingErrors } from '../errors/groups.ts';
import type { Operation } from './operation.ts';

const always: readonly ErrorCode[] = [
  ...bodyErrors,
  'routine_invocation_id_required',
  ...credentialErrors,
  ...standingErrors,
  'grant_scope_exceeded',
  'grant_cadence_exceeded',
  'unknown_operation',
  ...platformFailures,
];

/** Every code that a call of an operation can be answered with, sorted as the catalogue is grouped. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [
    ...always,
    ...(operation.availability === 'owner_workspace' ? (['owner_role_required'] as const) : []),
    ...(operation.app === undefined ? [] : (['connected_app_required'] as const)),
    // A listing is narrowed to the scope of the grant instead of being refused.
    ...(operation.dataScope?.reached === undefined ? [] : (['grant_data_scope_exceeded'] as const)),
    ...operation.errors,
  ];
}
