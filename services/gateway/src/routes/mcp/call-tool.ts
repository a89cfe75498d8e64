import {
  ActionError,
  hasStructuredResult,
  largestBody,
  type Operation,
  toolName,
} from '@action-platform/contracts';
import type { Dependencies } from '../../dependencies.ts';
import { arrivedBody } from '../../dispatch/arrived-body.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import { runOperation } from '../../dispatch/operations.ts';
import type { Caller } from '../../dispatch/pipeline.ts';
import type { HttpAnswer } from '../../http/http-answer.ts';
import type { Connection } from './connection.ts';
import { notJson } from './message.ts';
import type { Protocol } from './protocol.ts';
import { toolResult } from './tool-result.ts';

/** A call of a tool by an admitted caller. */
export interface ToolCall {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly connection: Connection;
  readonly id: string;
  readonly protocol: Protocol;
  readonly operation: Operation;
  /** JSON as sent, unread; undefined without any. */
  readonly arguments: Uint8Array | undefined;
}

const NO_ARGUMENTS = Buffer.from('{}');

/**
 * Calls tools: executes the operation with the arguments as its body, byte for byte, and requires an idempotency key where it
 * takes one. Throws the refusal, or RpcError for arguments that are not JSON.
 */
export function callTool(dependencies: Dependencies) {
  const run = runOperation(dependencies);
  return async ({ exchange, caller, connection, ...asked }: ToolCall): Promise<HttpAnswer> => {
    const { operation, id, protocol } = asked;
    const { invocationId } = connection;
    caller.enter(operation.service);
    const limit = largestBody(operation.input, dependencies.config);
    const body = arrivedBody(asked.arguments ?? NO_ARGUMENTS, limit);
    const execution = { operationId: operation.id, invocationId, isKeyRequired: true, body };
    const answer = await run({ exchange, execution, caller }).catch((error: unknown) => {
      const isText = error instanceof ActionError && error.code === 'invalid_json';
      throw isText ? notJson(`params.arguments: ${error.message}`) : error;
    });
    return await toolResult(answer, { id, protocol }, hasStructuredResult(operation), caller.bytes);
  };
}

/** The operations that are offered as tools, by the name of the tool. */
export function toolsByName(operations: ReadonlyMap<string, Operation>): ReadonlyMap<unknown, Operation> {
  return new Map([...operations.values()].map((operation) => [toolName(operation.id), operation]));
}
