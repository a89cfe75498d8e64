import { ActionError, type ErrorCode } from '@action-platform/contracts/errors';

/** The error codes of JSON-RPC 2.0 (section 5.1) and of the protocol (revision 2026-07-28, basic, error codes). */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

interface RpcErrorDetails {
  /** The HTTP status of the answer. */
  readonly status?: number;
  readonly data?: unknown;
  /** The JSON text of the id of a message that could not be read further. */
  readonly id?: string | undefined;
  /** The entry of the catalogue for the log, the span and the metrics. */
  readonly reason?: ErrorCode;
}

/** A message that gets a JSON-RPC error instead of a result. */
export class RpcError extends ActionError {
  readonly rpcCode: number;
  readonly httpStatus: number;
  readonly data: unknown;
  readonly id: string | undefined;

  constructor(
    rpcCode: number,
    message: string,
    { status = 400, data, id, reason = 'invalid_request' }: RpcErrorDetails = {},
  ) {
    super(reason, { message });
    this.rpcCode = rpcCode;
    this.httpStatus = status;
    this.data = data;
    this.id = id;
  }
}

/**
 * The JSON text of a response with a result.
 *
 * @param id the JSON text of the request's id, as sent.
 * @param result JSON text.
 */
export function rpcResult(id: string, result: string): string {
  return `${rpcResultStart(id)}${result}}`;
}

/** The start of {@link rpcResult}: the result and a brace follow. */
export function rpcResultStart(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

/** The JSON text of an error response; without an id when the request's could not be read. */
export function rpcError(
  id: string | undefined,
  error: { code: number; message: string; data: unknown },
): string {
  const named = id === undefined ? '' : `"id":${id},`;
  return `{"jsonrpc":"2.0",${named}"error":${JSON.stringify(error)}}`;
}
