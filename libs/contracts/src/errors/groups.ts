import type { ErrorCode } from './catalogue.ts';

/** A `read` changes nothing; a `write` may. */
export type Effect = 'read' | 'write';

/** Errors of request bodies before an operation interprets them. */
export const bodyErrors = [
  'invalid_json',
  'invalid_request',
  'request_body_too_large',
] as const satisfies ErrorCode[];

/** Errors of session tokens and grant secrets. */
export const credentialErrors = [
  'authentication_required',
  'invalid_token',
  'token_expired',
  'grant_expired',
  'grant_revoked',
] as const satisfies ErrorCode[];

/** Errors of valid credentials whose Member was removed, or whose grant stopped. */
export const standingErrors = [
  'workspace_membership_required',
  'workspace_suspended',
  'grant_member_removed',
  'grant_role_changed',
  'grant_app_disconnected',
] as const satisfies ErrorCode[];

/** Failures behind the gateway. A read never has an unknown outcome, because the gateway can repeat it. */
export const platformFailures = {
  read: ['action_platform_unavailable'],
  write: ['action_infrastructure_failure', 'action_platform_unavailable'],
} as const satisfies Record<Effect, ErrorCode[]>;

/** The error code of a call that reached a service but received no answer. */
export function failureOf(effect: Effect): ErrorCode {
  return platformFailures[effect][0];
}
