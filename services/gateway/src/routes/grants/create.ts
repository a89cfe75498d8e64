import { createOperationGrant, createRoutineGrant, type GrantKind } from '@action-platform/contracts';
import type { Request } from 'express';
import { requireMemberSession } from '../../authentication/member-session.ts';
import type { ApiResponse } from '../../http/exchange.ts';
import { bytesOf, readBody } from '../../http/request-body.ts';
import type { GatewayTools } from '../../tools.ts';
import { forward } from './forward.ts';

/** POST /api/v1/{kind}-grants: the answer is the only place where the secret appears. */
export function createGrant(tools: GatewayTools, kind: GrantKind) {
  const call = kind === 'operation' ? createOperationGrant : createRoutineGrant;
  return async (request: Request, response: ApiResponse): Promise<void> => {
    const reading = readBody(request, tools.config.REQUEST_BODY_MAX_BYTES);
    const session = await requireMemberSession(tools, request, response);
    await forward(tools, response, call, session, bytesOf(await reading), 201);
  };
}
