import { isObject } from '@action-platform/contracts/schema';
import type { Dependencies } from '../../dependencies.ts';
import { availableOperations } from '../../dispatch/authority.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/answers/http-answer.ts';
import { callTool } from './call-tool.ts';
import { listTools } from './list-tools.ts';
import type { Message } from './message.ts';
import type { Progress, RpcRequest } from './progress.ts';
import { commonMembers, introduction, negotiated, type Protocol, supportedVersions } from './protocol.ts';
import { RpcError, rpcCodes, rpcResult } from './rpc.ts';

/** How long a client may keep the answer of `server/discover`, which changes with a new version of the platform, in milliseconds. */
const DISCOVERY_KEPT_MS = 60 * 60 * 1000;

/** The methods, by their names in spans and metrics. Any other method is `_OTHER` there, because callers choose it. */
const METHODS = new Set(['server/discover', 'initialize', 'ping', 'tools/list', 'tools/call']);

/** The methods with which a connection begins: an ended credential ends them with 401, after which a program signs in. */
const BEGINNINGS = ['server/discover', 'initialize'];

/** Serves the methods of both eras of the protocol. Throws the refusal, or RpcError for an unknown method or tool. */
export function mcpMethods(dependencies: Dependencies) {
  const list = listTools(dependencies);
  const call = callTool(dependencies);
  return async (message: Message, request: RpcRequest, progress: Progress): Promise<HttpAnswer> => {
    const { method, params } = message;
    const { exchange, caller } = progress;
    const { id, protocol } = request;
    const { traceparent } = isObject(params._meta) ? params._meta : {};
    if (typeof traceparent === 'string') exchange.joinTrace(traceparent);
    exchange.context.mcp = { method: METHODS.has(method) ? method : '_OTHER', version: protocol.version };
    if (method === 'tools/call') return await call(message, request, progress);
    if (BEGINNINGS.includes(method))
      await availableOperations(dependencies.bus, exchange, caller, { isUncounted: true });
    const result =
      method === 'tools/list'
        ? await list(params, protocol, progress)
        : resultWithoutAuthority(message, protocol);
    return jsonAnswer(rpcResult(id, result));
  };
}

/** The result of a method that tells about this server alone, as JSON text. Throws RpcError for an unknown one. */
function resultWithoutAuthority({ method, params }: Message, protocol: Protocol): string {
  if (protocol.isModern && method === 'server/discover') {
    const { capabilities, instructions } = introduction;
    const caching = { ttlMs: DISCOVERY_KEPT_MS, cacheScope: 'public' };
    const result = { supportedVersions, capabilities, instructions, ...caching };
    return `${JSON.stringify(result).slice(0, -1)}${commonMembers(protocol)}}`;
  }
  if (!protocol.isModern && method === 'initialize') {
    return JSON.stringify({ protocolVersion: negotiated(params.protocolVersion), ...introduction });
  }
  if (!protocol.isModern && method === 'ping') return '{}';
  // A 404 is for the revision without sessions: in the others it ends the client's (revision 2025-11-25, transports, session management).
  const status = protocol.isModern ? 404 : 200;
  throw new RpcError(rpcCodes.methodNotFound, 'Method not found', { status, reason: 'route_not_found' });
}
