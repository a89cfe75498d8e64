import {
  type Credential,
  describeMcpTool,
  grantedParameters,
  type McpTool,
} from '@action-platform/contracts';
import type { Dependencies } from '../../dependencies.ts';
import { availableOperations } from '../../dispatch/authority.ts';
import type { Message } from './message.ts';
import type { Progress } from './progress.ts';
import { commonMembers, type Protocol } from './protocol.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/**
 * Lists the tools that a caller can call now, sorted, on one page. Grants determines them for every request, so no client may keep
 * the list. Returns the JSON text of the result.
 */
export function listTools({ bus, operations }: Dependencies) {
  const described = (caller: 'interactive' | 'scheduled') =>
    new Map([...operations].map(([id, operation]) => [id, describeMcpTool(operation, caller)]));
  const tools: Readonly<Record<Credential['kind'], ReadonlyMap<string, McpTool>>> = {
    session: described('interactive'),
    grant: described('scheduled'),
  };
  return async (
    { cursor }: Message['params'],
    protocol: Protocol,
    { exchange, caller, connection: { isReadOnly } }: Progress,
  ): Promise<string> => {
    if (cursor !== undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'cursor: the list has one page.', { status: 200 });
    }
    const { kind } = caller.credential;
    const available = await availableOperations(bus, exchange, caller);
    const listed = available.operations.filter((id) => !isReadOnly || operations.get(id)?.effect === 'read');
    const granted = { ...available, operations: listed };
    const texts = listed.flatMap((id) => {
      const [tool, operation] = [tools[kind].get(id), operations.get(id)];
      if (tool === undefined || operation === undefined) return [];
      if (kind === 'session') return JSON.stringify(tool);
      return JSON.stringify({
        ...tool,
        inputSchema: grantedParameters(tool.inputSchema, operation, granted),
      });
    });
    const caching = protocol.isModern ? ',"ttlMs":0,"cacheScope":"private"' : '';
    return `{"tools":[${texts.join(',')}]${caching}${commonMembers(protocol)}}`;
  };
}
