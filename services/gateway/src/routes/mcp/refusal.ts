import { type ActionError, isDefect } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import { type Operation, routeKindOfTool } from '@action-platform/contracts/operations';
import { mcpMetadataRoutes } from '@action-platform/contracts/routes';
import type { Dependencies } from '../../dependencies.ts';
import { availableOperations } from '../../dispatch/authority.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import { errorAnswer, type HttpAnswer, jsonAnswer } from '../../http/answers/http-answer.ts';
import type { Progress } from './progress.ts';
import { RpcError, rpcError } from './rpc.ts';
import { refusedResult } from './tool-result.ts';

/** The step of a grant that a next step sends to a tool outside its list. */
const ASK_MEMBER =
  'Ask the Member whose grant this is: the step that helps needs a tool that the grant does not allow.';

const toolNames = /\b[a-z]+(?:_[a-z]+)*__[a-z][a-z0-9]*(?:_[a-z0-9]+)*\b/g;

/** Writes a refusal in the form of this protocol for a request that was read this far; before its message, as an ordinary HTTP answer. */
export function refusals({ bus, config: { PUBLIC_URL: baseUrl }, mcpSignIn }: Dependencies) {
  const metadataUrl = mcpSignIn && `${baseUrl}${mcpMetadataRoutes.ofResource.path}`;

  const unread = (refusal: ActionError, requestId: string): HttpAnswer => {
    const answer = errorAnswer(refusal, requestId, 'mcp', baseUrl);
    if (refusal.status !== 401) return answer;
    const headers = { ...answer.headers, 'WWW-Authenticate': challenge(refusal, metadataUrl) };
    return { ...answer, headers };
  };

  /**
   * The envelope of a refused call of a tool. Its next step names only tools that the caller can call: a grant may have fewer
   * than its Member, so grants is asked again.
   */
  const ofCall = async (refusal: ActionError, { exchange, caller }: Progress, operation: Operation) => {
    const { error } = refusal.toEnvelope(exchange.requestId, routeKindOfTool(operation), baseUrl);
    const named = caller.credential.kind === 'grant' ? (error.next.match(toolNames) ?? []) : [];
    if (named.length === 0) return { error };
    const available = await availableOperations(bus, exchange, caller).catch((error: unknown) => {
      if (isDefect(error)) throw error;
      return { operations: [] };
    });
    const listed = new Set(available.operations.map(toolName));
    return named.every((name) => listed.has(name)) ? { error } : { error: { ...error, next: ASK_MEMBER } };
  };

  return async (
    refusal: ActionError,
    { requestId }: Exchange,
    progress: Progress | undefined,
  ): Promise<HttpAnswer> => {
    const { id, protocol, operation } = progress ?? {};
    const { message } = refusal;
    const envelope = () => refusal.toEnvelope(requestId, 'mcp', baseUrl);
    if (refusal instanceof RpcError) {
      const data = refusal.code === 'unknown_operation' ? envelope() : refusal.data;
      const answer = jsonAnswer(rpcError(id, { code: refusal.rpcCode, message, data }));
      return { ...answer, status: refusal.httpStatus };
    }
    if (id === undefined) return unread(refusal, requestId);
    if (operation === undefined) {
      const body = rpcError(id, { code: refusal.status, message, data: envelope() });
      return { ...unread(refusal, requestId), body: Buffer.from(body) };
    }
    const answer = await ofCall(refusal, progress!, operation);
    return refusedResult(JSON.stringify(answer), { id, protocol: protocol! });
  };
}

/** The challenge of a 401 (RFC 6750, section 3; RFC 9728, section 5.1). It names an error only when a token came. */
function challenge({ code }: ActionError, metadataUrl: string | undefined): string {
  const parameters = [
    ...(code === 'authentication_required' ? [] : ['error="invalid_token"']),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return ['Bearer', parameters.join(', ')].join(' ').trim();
}
