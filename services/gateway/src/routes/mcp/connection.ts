import { ActionError } from '@action-platform/contracts';
import type { Request } from 'express';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';

/** The settings of a client for its connection, which it sends with every request. */
export interface Connection {
  /** Whether the tools that write are left out. */
  readonly isReadOnly: boolean;
  /** Names the run of a recurring job; required with a routine grant. */
  readonly invocationId: string | undefined;
  /** A call of a tool must name the same key. */
  readonly idempotencyKey: string | undefined;
}

/** The connection of a request, from its address and its headers. Throws ActionError `invalid_request` for another parameter. */
export function connectionOf(request: Request): Connection {
  const { query, headers } = request;
  const { read_only: readOnly, ...others } = query;
  if ((readOnly !== undefined && readOnly !== 'true') || Object.keys(others).length > 0) {
    const message = 'The address takes the parameter read_only=true and no other.';
    throw new ActionError('invalid_request', { message });
  }
  const invocationId = headers['x-routine-invocation-id'] as string | undefined;
  return { isReadOnly: readOnly === 'true', invocationId, idempotencyKey: idempotencyKeyOf(request) };
}
