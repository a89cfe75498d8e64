import { createOperationGrant } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { describeGrant } from '../grants/describe.ts';
import type { Management } from './management.ts';
import { expiryTime, grantableOperations, newGrant } from './new-grant.ts';

/** `grants.create_operation_grant`: a grant that allows one operation. */
export function createOperationGrantCall({
  operations,
  members,
  grants,
  limits,
  now,
}: Management): ServedCall {
  return serveCall(createOperationGrant, async ({ operationScope, expiresAt, name }, context) => {
    const member = await members.requireActive(context.session());
    const scope = grantableOperations(operations, member, 'operationScope', [operationScope]);
    const createdAt = await now();
    const times = {
      now: createdAt,
      expiresAt: expiryTime(expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS),
    };

    const { secret, fields } = newGrant('operation', member, scope, times);
    const grant = { kind: 'operation' as const, name: name ?? null, ...fields };
    await grants.insert(grant);
    return { grant: describeGrant(grant, { status: 'active' }), secret };
  });
}
