import { type GrantKind, revokeGrant as revokeGrantCall } from '@action-platform/contracts';
import type { Request } from 'express';
import { requireMemberSession } from '../../authentication/member-session.ts';
import type { ApiResponse } from '../../http/exchange.ts';
import type { GatewayTools } from '../../tools.ts';
import { forward } from './forward.ts';

/** DELETE /api/v1/{kind}-grants/{id}: the next call with the grant fails. */
export function revokeGrant(tools: GatewayTools, kind: GrantKind) {
  return async (request: Request<{ id: string }>, response: ApiResponse): Promise<void> => {
    const session = await requireMemberSession(tools, request, response);
    const body = JSON.stringify({ kind, id: request.params.id });
    await forward(tools, response, revokeGrantCall, session, body, 200);
  };
}
