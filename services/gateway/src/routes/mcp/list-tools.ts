import { type Credential, describeMcpTool } from '@action-platform/contracts';
import type { Dependencies } from '../../dependencies.ts';
import { availableOperations } from '../../dispatch/discovery.ts';
import type { Message } from './message.ts';
import type { Progress } from './progress.ts';
import { commonMembers, type Protocol } from './protocol.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/**
 * Lists the tools that a caller can call now, sorted, on one page. Grants determines them for every request, so no client may keep
 * the list. Returns the JSON text of the result.
 */
export function listTools({ bus, operations }: Dependencies) {
  const textsFor = (caller: 'interactive' | 'scheduled') =>
    new Map(
      [...operations].map(([id, operation]) => [id, JSON.stringify(describeMcpTool(operation, caller))]),
    );
  const described: Readonly<Record<Credential['kind'], ReadonlyMap<string, string>>> = {
    session: textsFor('interactive'),
    grant: textsFor('scheduled'),
  };
  return async (
    { cursor }: Message['params'],
    protocol: Protocol,
    { exchange, caller, connection: { isReadOnly } }: Progress,
  ): Promise<string> => {
    if (cursor !== undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'cursor: the list has one page.', { status: 200 });
    }
    const available = await availableOperations(bus, exchange, caller);
    const listed = available.filter((id) => !isReadOnly || operations.get(id)?.effect === 'read');
    const texts = described[caller.credential.kind];
    const tools = listed.map((id) => texts.get(id)).filter((text) => text !== undefined);
    const caching = protocol.isModern ? ',"ttlMs":0,"cacheScope":"private"' : '';
    return `{"tools":[${tools.join(',')}]${caching}${commonMembers(protocol)}}`;
  };
}
