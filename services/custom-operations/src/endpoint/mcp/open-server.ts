import type { Cause, Unavailable } from '../../cause.ts';
import { refusesCredential, undecidedBy } from '../outcome.ts';
import type { McpClient, Reply } from './client.ts';
import { hasEnded, initialize } from './handshake.ts';
import { type Session, STATELESS } from './session.ts';
import { type ListedTools, listTools } from './tool-list.ts';

/** A session with a server, and its tools. */
export interface OpenedServer {
  readonly session: Session;
  readonly listed: ListedTools;
}

/**
 * Lists the tools of a server, in its former session or in a new one. A server of the 2025 revisions refuses the request that
 * revision 2026-07-28 begins with, and gets their handshake then (revision 2026-07-28, versioning, backward compatibility).
 *
 * @param hasCredential whether 401 and 403 refuse a credential.
 * @throws what `Sender` throws; JsonBusyError
 */
export async function openServer(
  client: McpClient,
  hasCredential: boolean,
  former: Session | undefined,
): Promise<OpenedServer | Unavailable> {
  const failed = (reply: Reply | Unavailable): Unavailable =>
    'is' in reply ? reply : { is: 'unavailable', cause: causeOf(reply, hasCredential) };

  if (former !== undefined) {
    const listed = await listTools(client, former);
    if ('tools' in listed) return { session: former, listed };
    if ('is' in listed || !hasEnded(former, listed)) return failed(listed);
  }
  const stateless = await listTools(client, STATELESS);
  if ('is' in stateless) return stateless;
  const isList = 'tools' in stateless;
  if (isList && stateless.isStateless) return { session: STATELESS, listed: stateless };
  if (!isList && !isOfOlder(stateless, hasCredential)) return failed(stateless);
  const session = await initialize(client);
  if ('headers' in session) {
    const listed = await listToolsAnew(client, session);
    return 'tools' in listed ? { session, listed } : failed(listed);
  }
  // A server without a handshake that answers as no revision says is taken as it is.
  return isList ? { session: STATELESS, listed: stateless } : failed(session);
}

/** Lists the tools in a session that has just begun. Without a list nobody uses the session, which ends in the background. */
async function listToolsAnew(client: McpClient, session: Session) {
  let listed: Awaited<ReturnType<typeof listTools>> | undefined;
  try {
    await client.notify(session, 'notifications/initialized');
    listed = await listTools(client, session);
    return listed;
  } finally {
    const isUsed = listed !== undefined && 'tools' in listed;
    if (session.isKept && !isUsed) void client.end(session).catch(() => {});
  }
}

/** Whether an answer may be of a server that wants a handshake first. */
function isOfOlder({ answer: { status }, message }: Reply, hasCredential: boolean): boolean {
  if (refusesCredential(status, hasCredential)) return false;
  if (status >= 200 && status < 300) return message?.error !== undefined;
  return undecidedBy(status) === undefined;
}

function causeOf({ answer, message }: Reply, hasCredential: boolean): Cause {
  const { status, failure = 'unreadable_answer' } = answer;
  if (refusesCredential(status, hasCredential)) return 'credential_refused';
  if (status < 200 || status >= 300) return `status_${status}`;
  return message?.error !== undefined ? 'rpc_error' : failure;
}
