import {
  ActionError,
  hasStructuredResult,
  largestBody,
  type Operation,
  toolName,
} from '@action-platform/contracts';
import { similarName } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { arrivedBody } from '../../dispatch/body.ts';
import type { HttpAnswer } from '../../http/answers/http-answer.ts';
import { type Message, notJson } from './message.ts';
import type { Progress, RpcRequest } from './progress.ts';
import { RpcError, rpcCodes } from './rpc.ts';
import { type ResultForm, toolResult } from './tool-result.ts';

/** An operation as a tool, with what its schemas say. */
interface Tool extends ResultForm {
  readonly operation: Operation;
  /** The most bytes of its arguments. */
  readonly limit: number;
}

const NO_ARGUMENTS = Buffer.from('{}');

/**
 * Calls tools: executes the operation with the arguments as its body, byte for byte, and requires an idempotency key where it
 * takes one. Throws the refusal, or RpcError for an unknown tool and for arguments that are not JSON.
 */
export function callTool({ calls, config, operations }: Dependencies) {
  const tools = new Map<string, Tool>();
  for (const operation of operations.values()) {
    const limit = largestBody(operation.input, config);
    tools.set(toolName(operation.id), {
      operation,
      limit,
      isStructured: hasStructuredResult(operation),
      outcome: operation.outcome,
    });
  }
  const noSuchTool = (name: unknown): string => {
    const meant = similarName(String(name), [...tools.keys()]);
    return `No tool has this name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
  };

  return async (message: Message, request: RpcRequest, progress: Progress): Promise<HttpAnswer> => {
    const { exchange, caller, connection } = progress;
    const tool = tools.get(String(message.params.name));
    if (tool === undefined || (connection.isReadOnly && tool.operation.effect === 'write')) {
      const problem = tool === undefined ? noSuchTool(message.params.name) : 'This connection is read-only.';
      throw new RpcError(rpcCodes.invalidParams, problem, { status: 200, reason: 'unknown_operation' });
    }
    const { operation, limit } = tool;
    progress.operation = operation;
    exchange.context.operation = operation.id;
    caller.enter(operation);
    const body = arrivedBody(message.arguments ?? NO_ARGUMENTS, limit);
    const { invocationId, idempotencyKey } = connection;
    const sent = {
      id: operation.id,
      called: operation,
      invocationId,
      idempotencyKey,
      isKeyRequired: true,
      body,
    };
    const answer = await calls.answer({ exchange, sent, caller }).catch((error: unknown) => {
      const isText = error instanceof ActionError && error.code === 'invalid_json';
      throw isText ? notJson(`params.arguments: ${error.message}`) : error;
    });
    return await toolResult(answer, request, tool, caller.bytes);
  };
}
