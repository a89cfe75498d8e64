import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';
import { customOperation } from '../operations/custom/definition.ts';

/** Reads a custom operation of a Workspace as it is now, also a removed one. @throws ActionError `custom_operation_not_found` */
export const findCustomOperation = defineCall({
  id: 'grants.custom_operation',
  callers: ['gateway', 'custom-operations'],
  effect: 'read',
  input: z.object({ workspaceId: z.string(), id: z.string() }),
  output: customOperation,
});

/** Reads the public keys with which endpoints verify the tokens of calls (RFC 7517, section 5). */
export const publicKeys = defineCall({
  id: 'custom-operations.public_keys',
  callers: ['gateway'],
  effect: 'read',
  input: z.object({}),
  output: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
});

/** Finds an active connector of a Workspace, for the target of a custom operation; empty without one. */
export const findConnector = defineCall({
  id: 'custom-operations.connector',
  callers: ['grants'],
  effect: 'read',
  input: z.object({ workspaceId: z.string(), name: z.string() }),
  output: z.object({
    found: z.object({ id: z.string(), kind: z.enum(['http', 'mcp']), takesKey: z.boolean() }).optional(),
  }),
});
