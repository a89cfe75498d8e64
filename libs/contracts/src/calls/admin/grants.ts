import { z } from 'zod';
import { defineCommand } from '../../declaration/command.ts';
import { OPERATOR_LIST_MAX, OPERATOR_LIST_MAX_BYTES } from '../../limits/limits.ts';
import { grant, grantRoutes } from '../../resources/grants.ts';
import { field } from '../../schema/fields.ts';
import { defineCommandOf } from './command-of.ts';
import { workspace } from './fields.ts';

export const listGrantsOf = defineCommand({
  id: 'admin.grants.list_grants',
  command: 'grant list',
  summary: `Lists the grants of a Workspace, newest first, at most ${OPERATOR_LIST_MAX}, and at most ${OPERATOR_LIST_MAX_BYTES / 1024 / 1024} MiB of them.`,
  columns: ['id', 'name', 'userId', 'status', 'expiresAt', 'lastUsedAt'],
  effect: 'read',
  input: z.object({ workspace }),
  output: z.object({ grants: z.array(grant) }),
});

export const revokeGrantOf = defineCommandOf(grantRoutes.operation.revoke, {
  id: 'admin.grants.revoke_grant',
  command: 'grant revoke',
  summary: 'Revokes a grant; the next call with it fails.',
  input: z.object({ workspace, grant: field(z.string(), 'The id of the grant.') }),
});
