import { ActionError } from '@action-platform/contracts/errors';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@action-platform/contracts/limits';
import { isObject } from '@action-platform/contracts/schema';
import {
  type CallOfText,
  ExactJson,
  JsonBusyError,
  JsonSyntaxError,
  readJsonAround,
} from '@action-platform/json';
import { RpcError, rpcCodes } from './rpc.ts';

/** A JSON-RPC request, or a notification: one without an id. */
export interface Message {
  /** The JSON text of the id as sent, which the answer repeats; undefined for a notification. */
  readonly id: string | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The bytes of `params.arguments` as sent, unread; undefined without any. */
  readonly arguments: Uint8Array | undefined;
}

const options = { maxDepth: MAX_JSON_DEPTH, exact: ['id'], maxValues: MAX_JSON_VALUES };

/**
 * Reads the body of a request as one message (JSON-RPC 2.0, section 4; revision 2026-07-28, basic, messages). Throws RpcError for
 * other bodies; a batch too.
 */
export async function readMessage(body: Uint8Array, call: CallOfText): Promise<Message> {
  const read = readJsonAround(body, ['params', 'arguments'], options, call);
  const { value, member } = await read.catch(refuse);
  if (Array.isArray(value)) throw invalid('A batch is not served: send one message in each request.');
  if (!isObject(value)) throw invalid('A message is a JSON object.');
  const { jsonrpc, id: sent, method, params = {} } = value;
  if (sent !== undefined && !isRequestId(sent)) throw invalid('id: must be a string or an integer.');
  const id = sent?.text;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc: must be "2.0".', id);
  if (typeof method !== 'string') throw invalid('method: must be a string.', id);
  if (!isObject(params)) throw invalid('params: must be an object.', id);
  return { id, method, params, arguments: member };
}

function refuse(error: Error): never {
  if (error instanceof JsonBusyError) throw new ActionError('action_platform_unavailable');
  throw error instanceof JsonSyntaxError ? notJson(error.message) : invalid(error.message);
}

function isRequestId(id: unknown): id is ExactJson {
  return id instanceof ExactJson && (id.kind === 'string' || /^-?\d+$/.test(id.text));
}

/** The answer to a text that is not JSON. */
export function notJson(problem: string): RpcError {
  return new RpcError(rpcCodes.parseError, problem, { reason: 'invalid_json' });
}

/** @param id that of the message, where it could be read (JSON-RPC 2.0, section 5). */
function invalid(problem: string, id?: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, problem, { id });
}
