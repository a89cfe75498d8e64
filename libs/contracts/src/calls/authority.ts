import { z } from 'zod';
import { principal } from '../authority/principal.ts';
import { defineCall } from './call.ts';

/** What a caller proved to the gateway: a verified session token's claims, or possession of a grant secret. */
export const credential = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session'), workspaceId: z.string(), userId: z.string() }),
  z.strictObject({
    kind: z.literal('grant'),
    /** SHA-256 of the secret, base64url. */
    secretHash: z.string(),
  }),
]);
export type Credential = z.output<typeof credential>;

/** May this credential run this operation now? Answers the principal, or refuses with the exact reason. */
export const authorize = defineCall({
  subject: 'grants.authorize',
  service: 'grants',
  callers: ['gateway'],
  effect: 'read',
  input: z.strictObject({
    credential,
    operation: z.string(),
    /** The header x-routine-invocation-id, as it came. */
    invocationId: z.string().optional(),
  }),
  output: principal,
});

/** Which operations may this credential run now? */
export const discover = defineCall({
  subject: 'grants.discover',
  service: 'grants',
  callers: ['gateway'],
  effect: 'read',
  input: z.strictObject({ credential }),
  output: z.strictObject({ operations: z.array(z.string()) }),
});
