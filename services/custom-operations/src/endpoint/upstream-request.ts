import { invalidRequest } from '@action-platform/contracts/errors';
import { MAX_JSON_DEPTH } from '@action-platform/contracts/limits';
import {
  type CustomOperation,
  type HttpTarget,
  hasUnsafeSegment,
  isTool,
  namesInBody,
  namesInPath,
  pathWith,
} from '@action-platform/contracts/operations';
import { type CallOfText, ExactJson, readJsonAsync, withoutMembers } from '@action-platform/json';
import type { StoredConnector } from '../connectors/stored-connector.ts';
import type { NamedTool } from './mcp/known-tools.ts';

/** The parts of a connector that its requests follow. */
type Upstream = Pick<StoredConnector, 'headers' | 'idempotency_header'>;

/** A request to the endpoint of an operation, or to the API behind its connector, before its credential. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly contentType?: string;
  readonly upstream: Upstream;
  /** Undefined for an endpoint of the operation's own. */
  readonly connector?: StoredConnector;
  /** The tool of an MCP server that gets the body as its arguments. */
  readonly tool?: NamedTool;
  /** Whether a write that may have arrived is never sent again. */
  readonly isSentOnce: boolean;
}

/** An endpoint of an operation's own: the contract of such endpoints is that they take the token and the key of the platform. */
const ENDPOINT: Upstream = { headers: [], idempotency_header: 'Idempotency-Key' };
/** A form, or a JSON object, without members. */
const NOTHING = /^(\{\s*\})?$/;
const [JSON_TYPE, FORM_TYPE] = ['application/json', 'application/x-www-form-urlencoded'];

/**
 * The request of a call.
 *
 * @param connector of the target; undefined for an operation with an endpoint of its own.
 * @param body the caller's JSON, without its idempotency key.
 * @throws ActionError `invalid_request` for a value that cannot stand in the path.
 */
export async function upstreamRequest(
  { url, target, inputSchema, effect, updatedAt }: CustomOperation,
  connector: StoredConnector | undefined,
  body: string,
  call?: CallOfText,
): Promise<UpstreamRequest> {
  if (target === undefined || connector === undefined)
    return { method: 'POST', url: url!, body, contentType: JSON_TYPE, upstream: ENDPOINT, isSentOnce: false };
  const { repeats } = target;
  const takesKey = connector.idempotency_header !== null;
  const isSentOnce = repeats === 'never' || (effect === 'write' && repeats === 'key' && !takesKey);
  if (isTool(target)) {
    const tool = { name: target.tool, digest: target.digest, definedAt: new Date(updatedAt) };
    return {
      method: 'POST',
      url: connector.base_url,
      body,
      upstream: connector,
      connector,
      tool,
      isSentOnce,
    };
  }
  const inBody = namesInBody(target, inputSchema);
  const elsewhere = [...namesInPath(target), ...(target.query ?? [])];
  const isForm = target.body === 'form';
  const textOf = await textsIn(body, isForm ? [...elsewhere, ...inBody] : elsewhere, call);
  const path = pathWith(target, (name) => encoded(textOf.get(name) ?? ''));
  requireSafe(target, path, textOf);
  const query = pairs(target.query ?? [], textOf);
  const sent = isForm ? pairs(inBody, textOf) : withoutMembers(Buffer.from(body), elsewhere);
  const hasNoBody = target.method === 'get' || (target.method === 'delete' && NOTHING.test(sent));
  return {
    method: target.method.toUpperCase(),
    url: connector.base_url.replace(/\/$/, '') + path + (query && `?${query}`),
    ...(hasNoBody ? { body: undefined } : { body: sent, contentType: isForm ? FORM_TYPE : JSON_TYPE }),
    upstream: connector,
    connector,
    isSentOnce,
  };
}

/** The texts of scalars of an input: strings as they are, other values as they were sent. */
async function textsIn(
  body: string,
  names: readonly string[],
  call?: CallOfText,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const options = { maxDepth: MAX_JSON_DEPTH, exact: names, maxValues: body.length };
  const input = await readJsonAsync(Buffer.from(body), options, call);
  const found = Object.entries(input as Readonly<Record<string, unknown>>)
    .filter((entry): entry is [string, ExactJson] => entry[1] instanceof ExactJson)
    .map(([name, { kind, text }]) => [name, kind === 'string' ? JSON.parse(text) : text] as const);
  return new Map(found);
}

/** Refuses values that would make another path of it (RFC 3986, section 5.2.4). */
function requireSafe(target: HttpTarget, path: string, textOf: ReadonlyMap<string, string>): void {
  const empty = namesInPath(target).find((name) => textOf.get(name) === '');
  const wrong = empty ?? (hasUnsafeSegment(path) ? namesInPath(target).join(', ') : undefined);
  if (wrong === undefined) return;
  throw invalidRequest(`${wrong}: must not be empty, "." or "..".`);
}

/** The names that are there with their values, as in a query or a form. */
function pairs(names: readonly string[], textOf: ReadonlyMap<string, string>): string {
  return names
    .filter((name) => textOf.has(name))
    .map((name) => `${name}=${encoded(textOf.get(name)!)}`)
    .join('&');
}

/** Percent-encoded but for unreserved characters (RFC 3986, section 2.3). */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
