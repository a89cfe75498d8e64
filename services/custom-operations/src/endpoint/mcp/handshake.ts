import { isObject } from '@action-platform/contracts/schema';
import type { Unavailable } from '../../cause.ts';
import type { McpClient, Reply } from './client.ts';
import { errorIn, readJson } from './message.ts';
import { BEFORE, clientInfo, type Session } from './session.ts';

const INITIALIZE_MAX_BYTES = 256 * 1024;
/** The newest revision that begins with a handshake; a server may choose an older one. */
const OFFERED = '2025-11-25';

/** Begins a session of the 2025 revisions. @returns a reply that is no success as it came */
export async function initialize(client: McpClient): Promise<Session | Reply | Unavailable> {
  const params = { protocolVersion: OFFERED, capabilities: {}, clientInfo };
  const limits = { maxBytes: INITIALIZE_MAX_BYTES, isRepeatable: true };
  const reply = await client.request(BEFORE, { method: 'initialize', params }, limits);
  if ('is' in reply) return reply;
  const { answer, message } = reply;
  const text = Buffer.from(message?.result?.text ?? '');
  const result = await readJson(text, { maxDepth: 32, maxValues: 10_000 }, client.reading);
  const version = isObject(result) ? result.protocolVersion : undefined;
  const id = answer.headers['mcp-session-id'];
  const isVersion = typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version);
  const isId = id === undefined || (typeof id === 'string' && /^[!-~]{1,1024}$/.test(id));
  if (!isVersion || !isId) return reply;
  const headers = { 'mcp-protocol-version': version, ...(id !== undefined && { 'mcp-session-id': id }) };
  return { isKept: id !== undefined, headers };
}

/**
 * Whether an answer says that the server does not know a session: 404 by the protocol, 400 of servers that were restarted, or now are of
 * another revision.
 */
export function hasEnded({ isKept }: Session, { answer: { status }, message }: Reply): boolean {
  if (status !== 400) return isKept && status === 404;
  return /session|not initialized|protocol version/i.test((message && errorIn(message)?.message) ?? '');
}
