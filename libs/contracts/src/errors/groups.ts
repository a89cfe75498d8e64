import type { ErrorCode } from './catalogue.ts';

/** Whether a call changes nothing, or may. */
export type Effect = 'read' | 'write';

/** Errors of request bodies that no operation has interpreted yet. */
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

/** Errors of valid credentials whose Member, or whatever their grant is bound to, has ended. */
export const standingErrors = [
  'workspace_membership_required',
  'grant_member_removed',
  'grant_role_changed',
  'grant_app_disconnected',
] as const satisfies ErrorCode[];

/** Failures behind the gateway. The outcome of a read is never unknown, because the gateway can repeat it. */
export const platformFailures = {
  read: ['action_platform_unavailable'],
  write: ['action_infrastructure_failure', 'action_platform_unavailable'],
} as const satisfies Record<Effect, ErrorCode[]>;

/** The code of a call that reached a service and got no answer. */
export function failureOf(effect: Effect): ErrorCode {
  return platformFailures[effect][0];
}
