import { ActionError } from '@action-platform/contracts/errors';
import type { Request } from 'express';
import { idempotencyKeyOf, invocationIdOf } from '../../http/request-headers.ts';

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
  const { read_only: readOnly, ...others } = request.query;
  if ((readOnly !== undefined && readOnly !== 'true') || Object.keys(others).length > 0) {
    const message = 'The address takes the parameter read_only=true and no other.';
    throw new ActionError('invalid_request', { message });
  }
  return {
    isReadOnly: readOnly === 'true',
    invocationId: invocationIdOf(request),
    idempotencyKey: idempotencyKeyOf(request),
  };
}
