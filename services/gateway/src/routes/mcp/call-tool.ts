import { ActionError, failureOf } from '@action-platform/contracts/errors';
import { toolName } from '@action-platform/contracts/ids';
import {
  customCall,
  hasStructuredResult,
  isCustomId,
  type Operation,
} from '@action-platform/contracts/operations';
import { largestBody } from '@action-platform/contracts/schema';
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
  readonly id: string;
  readonly operation: Operation;
  /** The most bytes of its arguments. */
  readonly limit: number;
}

const READ_ONLY = 'This connection is read-only.';
const NOT_INCLUDED = 'The parameter only of this connection leaves this tool out.';
const NO_ARGUMENTS = Buffer.from('{}');

/**
 * Calls tools: executes the operation with the arguments as its body, byte for byte, and requires an idempotency key where it
 * takes one. Throws the refusal, or RpcError for an unknown tool and for arguments that are not JSON.
 */
export function callTool({ calls, config, operations }: Dependencies) {
  const toolOf = (operation: Operation, id = operation.id): Tool => ({
    id,
    operation,
    limit: largestBody(operation.input, config),
    isStructured: hasStructuredResult(operation),
    outcome: operation.outcome,
  });
  const tools = new Map([...operations.values()].map((one) => [toolName(one.id), toolOf(one)]));
  const findTool = (name: string): Tool | undefined => {
    const customId = name.replace('__', '.');
    return tools.get(name) ?? (isCustomId(customId) ? toolOf(customCall, customId) : undefined);
  };
  const noSuchTool = (name: string): string => {
    const meant = similarName(name, [...tools.keys()]);
    return `No tool has this name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
  };

  return async (message: Message, request: RpcRequest, progress: Progress): Promise<HttpAnswer> => {
    const { exchange, caller, connection } = progress;
    const unknown = (problem: string) =>
      new RpcError(rpcCodes.invalidParams, problem, { status: 200, reason: 'unknown_operation' });
    const { name } = message.params;
    if (typeof name !== 'string') throw unknown('params.name: must be the name of a tool.');
    const tool = findTool(name);
    if (tool === undefined) throw unknown(noSuchTool(name));
    const { id, operation, limit } = tool;
    const isCustom = operation === customCall;
    const { invocationId, idempotencyKey, isReadOnly } = connection;
    if (!connection.isIncluded(id)) throw unknown(NOT_INCLUDED);
    if (isReadOnly && operation.effect === 'write' && !isCustom) throw unknown(READ_ONLY);
    progress.operation = operation;
    if (!isCustom) exchange.context.operation = id;
    caller.enter(operation);
    const body = arrivedBody(message.arguments ?? NO_ARGUMENTS, limit);
    const sent = {
      id,
      called: operation,
      invocationId,
      idempotencyKey,
      isKeyRequired: true,
      isReadOnly,
      body,
    };
    const answer = await calls.answer({ exchange, sent, caller }).catch((error: unknown) => {
      if (!(error instanceof ActionError)) throw error;
      if (error.code === 'invalid_json') throw notJson(`params.arguments: ${error.message}`);
      if (error.code !== 'unknown_operation') throw error;
      // grants alone knows the custom operations of a Workspace, and their effects.
      throw unknown(exchange.context.custom === undefined ? noSuchTool(name) : READ_ONLY);
    });
    return await toolResult(answer, request, tool, caller.bytes).catch((error: unknown) => {
      // The operation was executed: a write without room for its answer is not undone.
      const isWithoutRoom = error instanceof ActionError && error.code === 'action_platform_unavailable';
      throw isWithoutRoom ? new ActionError(failureOf(caller.effect)) : error;
    });
  };
}
