import type { ErrorCode } from './catalogue.ts';

/** Whether a call changes nothing, or may. */
export type Effect = 'read' | 'write';

/** What can be wrong with a request body before its meaning is looked at. */
export const bodyErrors = [
  'invalid_json',
  'invalid_request',
  'request_body_too_large',
] as const satisfies ErrorCode[];

/** What can be wrong with a session token or a grant secret. */
export const credentialErrors = [
  'authentication_required',
  'invalid_token',
  'token_expired',
  'grant_expired',
  'grant_revoked',
] as const satisfies ErrorCode[];

/** Why a good credential stands for nobody who may call: its Member, or what its grant is bound to, is gone. */
export const standingErrors = [
  'workspace_membership_required',
  'grant_member_removed',
  'grant_role_changed',
  'grant_app_disconnected',
] as const satisfies ErrorCode[];

/** What can go wrong behind the gateway: of a read nothing is ever unknown, since it can be asked again. */
export const platformFailures = {
  read: ['action_platform_unavailable'],
  write: ['action_infrastructure_failure', 'action_platform_unavailable'],
} as const satisfies Record<Effect, ErrorCode[]>;

/** What to say of a call that reached a service and did not come to an answer. */
export function failureOf(effect: Effect): ErrorCode {
  return platformFailures[effect][0];
}
