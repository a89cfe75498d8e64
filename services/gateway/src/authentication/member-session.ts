import { callService } from '@action-platform/bus';
import { ActionError, discover, type SessionClaims } from '@action-platform/contracts';
import type { Request } from 'express';
import { callOptions } from '../http/call-options.ts';
import type { ApiResponse } from '../http/exchange.ts';
import type { GatewayTools } from '../tools.ts';

/**
 * The Member who is signed in on a route where grants are not accepted. A grant that is live gets 403
 * `member_session_required`; one that is not gets its 401 as everywhere.
 */
export async function requireMemberSession(
  { bus, authenticator }: GatewayTools,
  request: Request,
  response: ApiResponse,
): Promise<SessionClaims> {
  const credential = await authenticator.authenticate(request.headers.authorization);
  if (credential.kind === 'session')
    return { workspaceId: credential.workspaceId, userId: credential.userId };
  await callService(bus, discover, { credential }, callOptions(response)).catch((error: unknown) => {
    const isLive = error instanceof ActionError && error.status === 403;
    if (!isLive) throw error;
  });
  throw new ActionError('member_session_required');
}
