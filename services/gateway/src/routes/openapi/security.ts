import type { Route } from '@action-platform/contracts';

/** How callers authenticate (RFC 6750, section 2.1), for `components.securitySchemes`. */
export const securitySchemes = {
  memberSession: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The session token of a Member, from the sign-in provider of the deployment.',
  },
  grantSecret: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'apo_… or apr_…',
    description: 'The secret of an operation grant or a routine grant, for unattended jobs.',
  },
} as const;

const accepted: Readonly<Record<Route['caller'], readonly (keyof typeof securitySchemes)[]>> = {
  anyone: [],
  member: ['memberSession'],
  member_or_grant: ['memberSession', 'grantSecret'],
};

/** The Security Requirement Objects of a route: any one of them will do; none where anyone may call. */
export function securityOf({ caller }: Route): object[] {
  return accepted[caller].map((scheme) => ({ [scheme]: [] }));
}
