import type { ActionError, RouteKind } from '@action-platform/contracts/errors';
import { routeKindOfTool } from '@action-platform/contracts/operations';
import { mcpMetadataRoutes } from '@action-platform/contracts/routes';
import type { Dependencies } from '../../dependencies.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import { errorAnswer, type HttpAnswer, jsonAnswer } from '../../http/answers/http-answer.ts';
import type { Progress } from './progress.ts';
import { RpcError, rpcError } from './rpc.ts';
import { refusedResult } from './tool-result.ts';

/** Writes a refusal in the form of this protocol for a request that was read this far; before its message, as an ordinary HTTP answer. */
export function refusals({ config: { PUBLIC_URL: baseUrl }, mcpResource }: Dependencies) {
  const metadataUrl = mcpResource && `${baseUrl}${mcpMetadataRoutes.ofResource.path}`;

  const unread = (refusal: ActionError, requestId: string): HttpAnswer => {
    const answer = errorAnswer(refusal, requestId, 'mcp', baseUrl);
    if (refusal.status !== 401) return answer;
    const headers = { ...answer.headers, 'WWW-Authenticate': challenge(refusal, metadataUrl) };
    return { ...answer, headers };
  };

  return (refusal: ActionError, exchange: Exchange, progress: Progress | undefined): HttpAnswer => {
    const { requestId } = exchange;
    const { id, protocol, operation } = progress ?? {};
    const { message } = refusal;
    const envelope = (kind: RouteKind = 'mcp') => refusal.toEnvelope(requestId, kind, baseUrl);
    if (refusal instanceof RpcError) {
      const data = refusal.code === 'unknown_operation' ? envelope() : refusal.data;
      const answer = jsonAnswer(rpcError(id ?? refusal.id, { code: refusal.rpcCode, message, data }));
      return { ...answer, status: refusal.httpStatus };
    }
    if (id === undefined) return unread(refusal, requestId);
    if (operation === undefined || mustRefresh(refusal, exchange)) {
      const body = rpcError(id, { code: refusal.status, message, data: envelope() });
      return { ...unread(refusal, requestId), body: Buffer.from(body) };
    }
    const answer = envelope(routeKindOfTool(operation));
    return refusedResult(JSON.stringify(answer), { id, protocol: protocol! });
  };
}

/**
 * Whether a refusal of a tool is one of the HTTP request: a program refreshes its access token after a 401 alone (MCP, authorization, access
 * token usage). A secret cannot be refreshed, so its agent reads the refusal as the tool's result.
 */
function mustRefresh({ status }: ActionError, { context: { credential } }: Exchange): boolean {
  return status === 401 && credential?.kind === 'grant' && credential.isToken === true;
}

/** The challenge of a 401 (RFC 6750, section 3; RFC 9728, section 5.1), which names an error only when the request had a token. */
function challenge({ code }: ActionError, metadataUrl: string | undefined): string {
  const parameters = [
    ...(code === 'authentication_required' ? [] : ['error="invalid_token"']),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return ['Bearer', parameters.join(', ')].join(' ').trim();
}
