import type { ErrorCode } from '../errors/catalogue.ts';
import type { Operation } from './operation.ts';

const always: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_request',
  'request_body_too_large',
  'routine_invocation_id_required',
  'authentication_required',
  'invalid_token',
  'token_expired',
  'grant_expired',
  'grant_revoked',
  'workspace_membership_required',
  'grant_member_removed',
  'grant_role_changed',
  'grant_app_disconnected',
  'grant_scope_exceeded',
  'grant_cadence_exceeded',
  'unknown_operation',
  'action_infrastructure_failure',
  'action_platform_unavailable',
];

/** Every code that a call of an operation can be answered with, sorted as the catalogue is grouped. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [
    ...always,
    ...(operation.availability === 'owner_workspace' ? (['owner_role_required'] as const) : []),
    ...(operation.app === undefined ? [] : (['connected_app_required'] as const)),
    ...(operation.dataScope === undefined ? [] : (['grant_data_scope_exceeded'] as const)),
    ...operation.errors,
  ];
}
