import { invalidRequest } from '@action-platform/contracts/errors';
import type { ConnectorChange } from '@action-platform/contracts/resources';
import { type DestinationPolicy, destinationUrl } from '@action-platform/outbound-http';
import type { StoredAuth, StoredConnector } from './stored-connector.ts';

/** The content of a connector that a request asks for. */
export interface RequestedConnector
  extends Pick<StoredConnector, 'name' | 'kind' | 'base_url' | 'auth' | 'idempotency_header' | 'headers'> {
  /** Undefined when the request names none. */
  readonly secret: string | undefined;
  readonly takesSecret: boolean;
}

/**
 * Reads a request for a connector.
 *
 * @param policy the addresses that a deployment permits.
 * @throws ActionError `invalid_request` for an address that is not permitted, and for a header that is there twice.
 */
export function requestedConnector(
  { name, kind, baseUrl, auth, idempotencyHeader, headers = {} }: ConnectorChange,
  policy: DestinationPolicy,
): RequestedConnector {
  const urlOf = (text: string, field: string) => destinationUrl(text, policy, { field, mayHaveQuery: false });
  const { secret, ...others } = { secret: undefined, ...auth };
  const stored =
    others.type === 'client_credentials'
      ? { ...others, tokenUrl: urlOf(others.tokenUrl, 'auth.tokenUrl') }
      : others;
  requireEachOnce([
    ...Object.keys(headers),
    ...(auth.type === 'header' ? [auth.name] : []),
    ...(idempotencyHeader === undefined ? [] : [idempotencyHeader]),
  ]);
  return {
    name,
    kind,
    base_url: urlOf(baseUrl, 'baseUrl'),
    auth: stored as StoredAuth,
    idempotency_header: idempotencyHeader ?? null,
    // Their order means nothing, so that an equal request changes nothing.
    headers: Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    secret,
    takesSecret: auth.type !== 'none' && auth.type !== 'platform',
  };
}

/** Names of headers are the same in either case (RFC 9110, section 5.1). */
function requireEachOnce(names: readonly string[]): void {
  const lower = names.map((name) => name.toLowerCase());
  const twice = names.find((_name, index) => lower.indexOf(lower[index]!) < index);
  if (twice === undefined) return;
  const message = `headers: ${twice} is there twice in headers, auth.name and idempotencyHeader.`;
  throw invalidRequest(message);
}
