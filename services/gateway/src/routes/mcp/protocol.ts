import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '@action-platform/contracts/schema';
import type { Message } from './message.ts';
import { RpcError, rpcCodes } from './rpc.ts';

/** The revision whose requests carry their version in `_meta`. */
const MODERN = '2026-07-28';

/** The revisions that begin with a handshake, newest first. This server remembers nothing of it. */
const HANDSHAKE = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** Every revision that is served, newest first. */
export const supportedVersions: readonly string[] = [MODERN, ...HANDSHAKE];

/** Keys of `_meta` (revision 2026-07-28, basic, `_meta`). */
const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

const serverInfo = { name: 'action-platform', title: 'Action Platform', version: '1.0.0' };

/** The revision that a request names, and its era. */
export interface Protocol {
  readonly version: string;
  readonly isModern: boolean;
}

/**
 * The protocol of a request, from its headers and `_meta` alone. Requests without either are of the first revision with this
 * transport, which had no header; the answer to `initialize` negotiates, so its header may name any revision. Throws RpcError: for a `_meta` without a required field, a header that is missing or unlike the
 * body, and then for a version that is not served (revision 2026-07-28, transports, server validation).
 */
export function protocolOf({ method, params }: Message, headers: IncomingHttpHeaders): Protocol {
  const header = headers['mcp-protocol-version']?.toString();
  const meta = isObject(params._meta) ? params._meta : {};
  const isNamed = metaKeys.version in meta;
  if (!isNamed && method === 'initialize')
    return { version: negotiated(params.protocolVersion), isModern: false };
  if (!isNamed && header !== MODERN) {
    const version = header ?? HANDSHAKE.at(-1)!;
    if (!(HANDSHAKE as readonly string[]).includes(version)) throw unsupported(version);
    return { version, isModern: false };
  }
  const version = requireMeta(meta);
  requireHeader('MCP-Protocol-Version', header, version);
  requireHeader('Mcp-Method', headers['mcp-method']?.toString(), method);
  if (method === 'tools/call') {
    requireHeader('Mcp-Name', decoded(headers['mcp-name']?.toString()), params.name);
  }
  if (version !== MODERN) throw unsupported(version);
  return { version, isModern: true };
}

/** The revision that the answer to `initialize` names: the requested one, or the newest with a handshake. */
export function negotiated(requested: unknown): string {
  return HANDSHAKE.find((version) => version === requested) ?? HANDSHAKE[0];
}

/** The members that every result has in this protocol, as JSON text to follow others. @param meta further members of `_meta` */
export function commonMembers({ isModern }: Protocol, meta?: object): string {
  if (!isModern) return meta === undefined ? '' : `,"_meta":${JSON.stringify(meta)}`;
  if (meta === undefined) return modernMembers;
  return `,"resultType":"complete","_meta":${JSON.stringify({ ...modernMeta, ...meta })}`;
}

const modernMeta = { [metaKeys.serverInfo]: serverInfo };
const modernMembers = `,"resultType":"complete","_meta":${JSON.stringify(modernMeta)}`;

export const introduction = {
  capabilities: { tools: {} },
  serverInfo,
  instructions:
    'Each tool acts in one Workspace as the Member whose credential this connection has. ' +
    'Give each intended write a fresh UUID as idempotency_key, and repeat a call whose answer was lost with the same one. ' +
    'A refused call says in `next` which step to take; when `recoverable` is false, another person has to act: tell the user.',
};

/** The version in `_meta`. Throws RpcError when a required field is missing or malformed. */
function requireMeta(meta: Readonly<Record<string, unknown>>): string {
  const { [metaKeys.version]: version, [metaKeys.capabilities]: capabilities } = meta;
  const { [metaKeys.clientInfo]: clientInfo = {} } = meta;
  if (typeof version !== 'string') throw malformed(metaKeys.version);
  if (!isObject(capabilities)) throw malformed(metaKeys.capabilities);
  if (!isObject(clientInfo)) throw malformed(metaKeys.clientInfo);
  return version;
}

function malformed(key: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `params._meta: ${key} is missing or malformed.`);
}

/** Throws RpcError unless a header has the value of the body. The message repeats neither. */
function requireHeader(name: string, sent: string | undefined, expected: unknown): void {
  if (sent !== undefined && sent.trim() === expected) return;
  const problem = sent === undefined ? 'is missing' : 'differs from the body';
  throw new RpcError(rpcCodes.headerMismatch, `The header ${name} ${problem}.`);
}

/** The value that a header has in Base64 (revision 2026-07-28, transports, value encoding), or as it is. */
function decoded(header: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header?.trim() ?? '')?.[1];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : '';
}

function unsupported(requested: string): RpcError {
  const data = { supported: supportedVersions, requested };
  return new RpcError(rpcCodes.unsupportedVersion, 'Unsupported protocol version', { data });
}
