import { MAX_JSON_DEPTH } from '@action-platform/contracts/limits';
import { isObject } from '@action-platform/contracts/schema';
import { type CallOfText, type ExactJson, JsonBusyError, readJsonAsync } from '@action-platform/json';

/** A message of JSON-RPC 2.0, its parts as they were sent. */
export interface RpcMessage {
  readonly id?: ExactJson;
  readonly method?: unknown;
  readonly result?: ExactJson;
  readonly error?: ExactJson;
}

/** The error of a call (JSON-RPC 2.0, section 5.1). */
export interface RpcError {
  readonly code: unknown;
  readonly message: string;
}

/** The most bytes of an error that is parsed, without a thread; more than any answer to a call has. */
const ERROR_MAX_BYTES = 320 * 1024;
const around = { maxDepth: MAX_JSON_DEPTH + 1, exact: ['id', 'params', 'result', 'error'], maxValues: 16 };

/** The message in a body; undefined for any other one. @throws JsonBusyError */
export async function readMessage(body: Uint8Array, call: CallOfText): Promise<RpcMessage | undefined> {
  const read = await readJson(body, around, call);
  return isObject(read) ? read : undefined;
}

/** A JSON value; undefined for a text that is none, or has more than its limits. @throws JsonBusyError */
export async function readJson(
  body: Uint8Array,
  options: Parameters<typeof readJsonAsync>[1],
  call: CallOfText,
): Promise<unknown> {
  try {
    return await readJsonAsync(body, options, call);
  } catch (error) {
    if (error instanceof JsonBusyError) throw error;
    return undefined;
  }
}

/** The error of a message, without code and text when it is too large; undefined without one. */
export function errorIn({ error }: RpcMessage): RpcError | undefined {
  if (error === undefined) return undefined;
  const read: unknown = error.byteLength > ERROR_MAX_BYTES ? undefined : JSON.parse(error.text);
  const { code, message } = isObject(read) ? read : {};
  return { code, message: typeof message === 'string' ? message : '' };
}

/** A text as the value of a header (revision 2026-07-28, transports, value encoding). */
export function headerText(text: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
