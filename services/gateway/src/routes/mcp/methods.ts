import { ActionError } from '@action-platform/contracts';
import type { Dependencies } from '../../dependencies.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/http-answer.ts';
import { callTool, toolsByName } from './call-tool.ts';
import { listTools } from './list-tools.ts';
import { isObject, type Message } from './message.ts';
import type { Progress } from './progress.ts';
import { introduction, negotiated, type Protocol, supportedVersions, withCommonMembers } from './protocol.ts';
import { refusals } from './refusal.ts';
import { RpcError, rpcCodes, rpcResult } from './rpc.ts';

/** How long a client may keep the answer of `server/discover`, which changes with a new version of the platform, in milliseconds. */
const DISCOVERY_KEPT_MS = 60 * 60 * 1000;

/** The methods, by their names in spans and metrics. Others are `_OTHER` there: callers choose them. */
const METHODS = new Set(['server/discover', 'initialize', 'ping', 'tools/list', 'tools/call']);

/** Serves the methods of both eras of the protocol. Throws the refusal, or RpcError for an unknown method or tool. */
export function mcpMethods(dependencies: Dependencies) {
  const { operations } = dependencies;
  const tools = toolsByName(operations);
  const list = listTools(dependencies);
  const call = callTool(dependencies);
  const refuse = refusals(dependencies);

  const callOf = async (message: Message, id: string, protocol: Protocol, progress: Progress) => {
    const { exchange, connection } = progress;
    const operation = tools.get(message.params.name);
    if (operation === undefined || (connection.isReadOnly && operation.effect === 'write')) {
      const reason = operation === undefined ? 'No tool has this name.' : 'This connection is read-only.';
      const refusal = new ActionError('unknown_operation', { message: reason });
      const details = { status: 200, data: refuse.envelope(refusal, exchange), reason: refusal.code };
      throw new RpcError(rpcCodes.invalidParams, reason, details);
    }
    exchange.context.operation = operation.id;
    progress.operation = operation;
    progress.effect = operation.effect;
    return await call({ ...progress, operation, id, protocol, arguments: message.arguments });
  };

  return async (
    message: Message,
    id: string,
    protocol: Protocol,
    progress: Progress,
  ): Promise<HttpAnswer> => {
    const { exchange, caller, connection } = progress;
    const { method, params } = message;
    const { traceparent } = isObject(params._meta) ? params._meta : {};
    if (typeof traceparent === 'string') exchange.joinTrace(traceparent);
    const tool = method === 'tools/call' && tools.has(params.name) ? String(params.name) : undefined;
    exchange.context.mcp = {
      method: METHODS.has(method) ? method : '_OTHER',
      version: protocol.version,
      tool,
    };
    if (method === 'tools/call') return await callOf(message, id, protocol, progress);
    const result =
      method === 'tools/list'
        ? await list({ exchange, caller, protocol, params, isReadOnly: connection.isReadOnly })
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
    return withCommonMembers(JSON.stringify(result), protocol);
  }
  if (!protocol.isModern && method === 'initialize') {
    return JSON.stringify({ protocolVersion: negotiated(params.protocolVersion), ...introduction });
  }
  if (!protocol.isModern && method === 'ping') return '{}';
  throw new RpcError(rpcCodes.methodNotFound, 'Method not found', { status: 404, reason: 'route_not_found' });
}
