/** How old a sign-in at the console may be where only a person may decide, in seconds. */
export const FRESH_SIGN_IN_SECONDS = 300;

/** The header WWW-Authenticate of a call that needs a fresh sign-in (RFC 9470, section 3). */
export const freshSignInChallenge = `Bearer error="insufficient_user_authentication", max_age="${FRESH_SIGN_IN_SECONDS}"`;
