import type { StatedError } from './entry.ts';

/** How old a sign-in at the console may be where only a person may decide, in seconds. */
export const FRESH_SIGN_IN_SECONDS = 300;

/** The header WWW-Authenticate of a call that needs a fresh sign-in (RFC 9470, section 3). */
export const freshSignInChallenge = `Bearer error="insufficient_user_authentication", max_age="${FRESH_SIGN_IN_SECONDS}"`;

/** The grant routes accept session tokens alone, so a valid grant would not help either. */
const signedIn = { member_route: 'Sign in as a Member and repeat the call with the session token.' };

export const authorityErrors = {
  authentication_required: {
    status: 401,
    message: 'This call carries no access token.',
    next: 'Send the header Authorization: Bearer <token> with a Member session token or a grant secret.',
    nextAt: {
      member_route: 'Send the header Authorization: Bearer <token> with a Member session token.',
      mcp: "Add Authorization: Bearer <token> to the connection's headers, with a Member session token or a grant secret.",
    },
    why: 'Every call under /api/v1 needs a bearer token (RFC 6750), except the OpenAPI document.',
  },
  invalid_token: {
    status: 401,
    message: 'The access token is not valid.',
    next: 'Get a new session token from your sign-in provider, or check that the grant secret was copied whole, and try again.',
    nextAt: signedIn,
    why: 'The token is malformed, was signed by someone else or for another audience, or is a grant secret that does not exist.',
  },
  token_expired: {
    status: 401,
    message: 'The token has expired.',
    next: 'Get a new token, by signing in again or at /oauth/token with the refresh token or the token of the workload, and repeat the call with it.',
    why: 'A session token is valid until the time in its exp claim, an access token for ten minutes.',
  },
  grant_expired: {
    status: 401,
    message: 'The grant has expired.',
    recoverable: false,
    next: 'Ask the Member this job acts as to create a new grant while signed in, and use its secret; or, for a program that signed in, to connect it again.',
    nextAt: signedIn,
    why: 'A grant stops at its expiresAt and cannot be extended.',
  },
  grant_revoked: {
    status: 401,
    message: 'The grant has been revoked.',
    recoverable: false,
    next: 'Ask the Member this job acts as to create a new grant while signed in, and use its secret; or, for a program that signed in, to connect it again.',
    nextAt: signedIn,
    keepsTrace: true,
    why: 'The Member, or an Owner of the Workspace, revoked this grant.',
  },
  workspace_membership_required: {
    status: 403,
    message: 'The signed-in user is not an active Member of this Workspace.',
    recoverable: false,
    next: 'Ask an Owner of the Workspace that the token names to add you, by the user id in the message, then repeat the call.',
    why: 'The user was never a Member of the Workspace that the token names, or has been removed from it.',
  },
  workspace_suspended: {
    status: 403,
    message: 'This Workspace is suspended.',
    recoverable: false,
    next: 'Ask an operator of the platform why, and repeat the call when the Workspace is resumed.',
    why: 'An operator suspended the Workspace (admin workspace limit --suspend). Its data stays as it is; Owners can read its audit log.',
  },
  owner_role_required: {
    status: 403,
    message: 'Only an Owner of the Workspace can do this.',
    recoverable: false,
    next: 'Ask an Owner of the Workspace to make this call, or an operator of the platform to give you the Owner role.',
    why: 'The availability of this operation is owner_workspace.',
  },
  connected_app_required: {
    status: 403,
    message: 'This operation needs a connected app that the Member has not connected.',
    recoverable: false,
    next: 'Ask the Member to connect the app named in the message (POST /api/v1/app-connections), then repeat the call.',
    nextAt: { mcp: 'Ask the Member to connect the app named in the message, then repeat the call.' },
    why: 'Operations that act in an outside system do so through the connection of the Member they act for.',
  },
  member_session_required: {
    status: 403,
    message: 'Only a signed-in Member can do this, not a grant.',
    next: 'Repeat the call with a Member session token.',
    why: 'A grant never widens on its own: it cannot manage grants, mailboxes or the endpoints of webhooks.',
  },
  fresh_sign_in_required: {
    status: 401,
    message: 'This needs a Member who has just signed in at the console.',
    next: 'Have the Member open /console, sign in, and do it there; no other session token will do.',
    why: `An agent or a program may hold the session token of a Member. So a decision of a person takes an ID token of the console, whose sign-in (auth_time) is at most ${FRESH_SIGN_IN_SECONDS} seconds old.`,
  },
  origin_not_allowed: {
    status: 403,
    message: 'Pages of this origin may not call this address.',
    recoverable: false,
    next: 'Ask an operator of the platform to add the origin of the page to CORS_ORIGINS.',
    why: 'A browser names the origin of the page that calls. The Model Context Protocol has servers refuse origins that they do not know, because a page could otherwise reach a server on the machine of its reader (DNS rebinding).',
  },
  grant_member_removed: {
    status: 403,
    message: 'The Member this grant acts as has been removed from the Workspace.',
    recoverable: false,
    next: 'Have a current Member create a new grant for this job while signed in.',
    keepsTrace: true,
    why: 'A grant is bound to the membership it was created under and stops for good when the Member is removed, even if the Member is added again.',
  },
  grant_role_changed: {
    status: 403,
    message: 'The role of the Member this grant acts as has changed.',
    recoverable: false,
    next: 'Have the Member create a new grant for this job while signed in.',
    keepsTrace: true,
    why: 'A grant is bound to the role it was created under and stops for good when the role changes, even if it is restored.',
  },
  grant_app_disconnected: {
    status: 403,
    message: 'An app that this grant needs has been disconnected.',
    recoverable: false,
    next: 'Have the app connected again, then have the Member create a new grant for this job while signed in.',
    keepsTrace: true,
    why: 'A grant is bound to the app connections it was created under and stops for good when one of them ends, even if the app is connected again.',
  },
  grant_scope_exceeded: {
    status: 403,
    message: 'The grant does not allow this operation.',
    next: 'Call only operations or tools of the list for this grant, or have the Member create a grant that allows this one; the page at docs_url explains how to get the list.',
    nextAt: {
      mcp: 'Call only tools of the tool list, or have the Member create a grant that allows this one.',
    },
    why: 'An operation grant allows one operation, a routine grant those it names. GET /api/v1/operations lists them for the grant, and with view=tools the tools.',
  },
  grant_data_scope_exceeded: {
    status: 403,
    message: 'The grant does not reach this data.',
    next: 'Use only data within the scope of the grant, or have the Member create a grant that lists this data.',
    why: 'The data scope of a routine grant is closed: collections, senders, file scopes and output definitions it does not list are refused.',
  },
  grant_cadence_exceeded: {
    status: 403,
    message: 'The grant has reached its maximum cadence.',
    next: 'Go on with the id of a counted run, or wait for the number of seconds in the Retry-After header and start the run again.',
    nextAt: { mcp: 'Wait {seconds} seconds, then start the run again.' },
    keepsTrace: true,
    why: 'A routine grant allows a number of distinct invocation ids in a period. The message names those that count, with the time until which each does; calls with one of them go on, and discovery counts as no run.',
  },
  grant_idempotency_conflict: {
    status: 400,
    message: 'This idempotencyKey was already used to create another grant.',
    next: 'Use a new idempotencyKey for a new grant; to get the first grant, repeat its input with this key.',
    why: 'A key names one grant, so that a create whose answer was lost can be repeated. The other input is not what that grant was created with.',
  },
  grant_not_found: {
    status: 404,
    message: 'You can see no grant with this id.',
    next: 'List the grants you can see with GET on the same path without the id, and use an id from there.',
    why: 'The id is wrong, is of the other kind of grant, or belongs to another Member.',
  },
} as const satisfies Record<string, StatedError>;
