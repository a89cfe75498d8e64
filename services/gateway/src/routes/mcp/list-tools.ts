import type { Bus } from '@action-platform/bus';
import { type Credential, describeMcpTool, type Operation } from '@action-platform/contracts';
import { availableOperations } from '../../dispatch/discovery.ts';
import type { Message } from './message.ts';
import type { Progress } from './progress.ts';
import { commonMembers, type Protocol } from './protocol.ts';
import { RpcError, rpcCodes } from './rpc.ts';

interface Needed {
  readonly bus: Bus;
  /** The operations that are offered, by id. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/**
 * Lists the tools that a caller can call now, sorted, on one page. Grants determines them for every request, so no client may keep
 * the list. Returns the JSON text of the result.
 */
export function listTools({ bus, operations }: Needed) {
  const described: Readonly<Record<Credential['kind'], ReadonlyMap<string, string>>> = {
    session: textsOf(operations, 'interactive'),
    grant: textsOf(operations, 'scheduled'),
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

function textsOf(
  operations: ReadonlyMap<string, Operation>,
  caller: 'interactive' | 'scheduled',
): ReadonlyMap<string, string> {
  return new Map(
    [...operations.values()].map((operation) => [
      operation.id,
      JSON.stringify(describeMcpTool(operation, caller)),
    ]),
  );
}
