import {
  describeMcpTool,
  type Granted,
  grantedParameters,
  type Operation,
} from '@action-platform/contracts/operations';
import type { Dependencies } from '../../dependencies.ts';
import type { DescribedOperation } from '../../descriptions/described-operation.ts';
import { availableOperations } from '../../dispatch/authority.ts';
import type { Message } from './message.ts';
import type { Progress } from './progress.ts';
import { commonMembers, type Protocol } from './protocol.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/**
 * Lists the tools that a caller can call now, sorted, on one page. Grants determines them for every request, so no client may keep
 * the list. Returns the JSON text of the result.
 */
export function listTools({ bus, described }: Dependencies) {
  return async (
    { cursor }: Message['params'],
    protocol: Protocol,
    { exchange, caller, connection: { isReadOnly, isIncluded } }: Progress,
  ): Promise<string> => {
    if (cursor !== undefined) {
      throw new RpcError(rpcCodes.invalidParams, 'cursor: the list has one page.', { status: 200 });
    }
    const found = await availableOperations(bus, exchange, caller, { withNames: true });
    const available = { ...found, operations: found.operations.filter(isIncluded) };
    const all = await described.among(available, exchange, caller);
    const offered = isReadOnly ? all.filter(({ effect }) => effect === 'read') : all;
    const granted = { ...available, operations: offered.map(({ id }) => id) };
    const isSession = caller.credential.kind === 'session';
    const texts = offered.map((one) => (isSession ? one.as(interactiveText) : textOfGrant(one, granted)));
    const caching = protocol.isModern ? ',"ttlMs":0,"cacheScope":"private"' : '';
    return `{"tools":[${texts.join(',')}]${caching}${commonMembers(protocol)}}`;
  };
}

const interactiveText = (operation: Operation) => JSON.stringify(describeMcpTool(operation, 'interactive'));
const interactiveTool = (operation: Operation) => describeMcpTool(operation, 'interactive');
const scheduledTool = (operation: Operation) => describeMcpTool(operation, 'scheduled');

/** A tool as the holder of a grant sees it. */
function textOfGrant(operation: DescribedOperation, granted: Granted): string {
  const tool = operation.as(
    granted.routine?.outputDefinition === undefined ? interactiveTool : scheduledTool,
  );
  const inputSchema = grantedParameters(tool.inputSchema, operation.dataScope, granted);
  return JSON.stringify({ ...tool, inputSchema });
}
