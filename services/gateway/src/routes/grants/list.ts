import { ActionError, type GrantKind, listGrants as listGrantsCall } from '@action-platform/contracts';
import type { Request } from 'express';
import { requireMemberSession } from '../../authentication/member-session.ts';
import type { ApiResponse } from '../../http/exchange.ts';
import type { GatewayTools } from '../../tools.ts';
import { forward } from './forward.ts';

/** GET /api/v1/{kind}-grants?status=&limit=&cursor=: newest first. */
export function listGrants(tools: GatewayTools, kind: GrantKind) {
  return async (request: Request, response: ApiResponse): Promise<void> => {
    const session = await requireMemberSession(tools, request, response);
    const { limit, ...query } = request.query;
    if ('kind' in query)
      throw new ActionError('invalid_request', { message: 'kind: the path says it already.' });
    const body = JSON.stringify({ ...query, limit: toNumber(limit), kind });
    await forward(tools, response, listGrantsCall, session, body, 200);
  };
}

/** Digits as a number; anything else as it is, for the schema to refuse. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}
