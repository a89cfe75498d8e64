import { z } from 'zod';
import { grantData, principal } from '../authority/principal.ts';
import { services } from '../services.ts';
import { defineCall } from './call.ts';

/** What a caller proved to the gateway: a verified session token's claims, or possession of a grant secret. */
const credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), workspaceId: z.string(), userId: z.string() }),
  z.object({
    kind: z.literal('grant'),
    /** SHA-256 of the secret, base64url. */
    secretHash: z.string(),
  }),
]);
export type Credential = z.output<typeof credential>;

/** May this credential run this operation now? Answers the principal, or refuses with the exact reason. */
export const authorize = defineCall({
  name: 'authorize',
  service: 'grants',
  callers: ['gateway'],
  effect: 'read',
  idempotent: 'always',
  input: z.object({
    credential,
    operation: z.string(),
    /** The header x-routine-invocation-id, as it came. */
    invocationId: z.string().optional(),
  }),
  output: principal,
});

/** Which operations may this credential run now? */
export const discover = defineCall({
  name: 'discover',
  service: 'grants',
  callers: ['gateway'],
  effect: 'read',
  idempotent: 'always',
  input: z.object({ credential }),
  output: z.object({ operations: z.array(z.string()) }),
});

/**
 * What data does this routine grant reach? It never changes, so the answer may be kept; whether the grant is still good
 * is told by `authorize` on every call. Null when there is no such grant.
 */
export const grantedData = defineCall({
  name: 'granted_data',
  service: 'grants',
  callers: services.filter((service) => service !== 'grants'),
  effect: 'read',
  idempotent: 'always',
  input: z.object({ grantId: z.string() }),
  output: z.object({ data: grantData.nullable() }),
});

/**
 * Which of these users are active Members of this Workspace, and is there such a Workspace? Asked before a service does
 * what an operator wants there.
 */
export const knownMembers = defineCall({
  name: 'known_members',
  service: 'grants',
  callers: services.filter((service) => service !== 'grants'),
  effect: 'read',
  idempotent: 'always',
  input: z.object({ workspace: z.string(), users: z.array(z.string()) }),
  output: z.object({ isWorkspace: z.boolean(), members: z.array(z.string()) }),
});
