import { invalidRequest } from '@action-platform/contracts/errors';
import type { Request } from 'express';
import { headerProblemOf, idempotencyKeyOf, invocationIdOf } from '../../http/request-headers.ts';

/** The settings of a client for its connection, which it sends with every request. */
export interface Connection {
  /** Whether the tools that write are left out. */
  readonly isReadOnly: boolean;
  /** Whether it has the tool of an operation. */
  readonly isIncluded: (id: string) => boolean;
  /** Names the run of a recurring job; required with a routine grant. */
  readonly invocationId: string | undefined;
  /** A call of a tool must name the same key. */
  readonly idempotencyKey: string | undefined;
}

/** The most ids and prefixes that a connection may name. */
const ONLY_MAX = 20;
/** An id of an operation, or the beginning of one with `*`. */
const ONLY = /^([a-z][a-z0-9_]*\.[a-z][a-z0-9_]*|[a-z][a-z0-9_]*(\.[a-z0-9_]*)?\*)$/;

/** The connection of a request, from its address and its headers. Throws ActionError `invalid_request` for another parameter. */
export function connectionOf(request: Request): Connection {
  const { read_only: readOnly, only, ...others } = request.query;
  if ((readOnly !== undefined && readOnly !== 'true') || Object.keys(others).length > 0) {
    throw invalidRequest('The address takes the parameters read_only=true and only, and no other.');
  }
  const problem = headerProblemOf(request);
  if (problem !== undefined) throw problem;
  return {
    isReadOnly: readOnly === 'true',
    isIncluded: only === undefined ? () => true : includedIn(only),
    invocationId: invocationIdOf(request),
    idempotencyKey: idempotencyKeyOf(request),
  };
}

/** Whether a list of ids and prefixes has an operation. */
function includedIn(only: unknown): (id: string) => boolean {
  const names = typeof only === 'string' ? only.split(',') : [];
  if (names.length === 0 || names.length > ONLY_MAX || !names.every((name) => ONLY.test(name))) {
    throw invalidRequest(
      `only: takes at most ${ONLY_MAX} ids of operations, or beginnings of ids with *, with commas: custom.open_issue,record_store.*`,
    );
  }
  const ids = new Set(names);
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (id) => ids.has(id) || prefixes.some((prefix) => id.startsWith(prefix));
}
