import { isDefect } from '@action-platform/contracts/errors';
import { JsonBusyError } from '@action-platform/json';
import { requestFailure, type Sender } from '@action-platform/outbound-http';
import { LRUCache } from 'lru-cache';
import { hasCredential } from '../../connectors/credentials.ts';
import type { StoredConnector } from '../../connectors/stored-connector.ts';
import type { Authorizing } from '../authorization.ts';
import type { Cause, EndpointOutcome } from '../outcome.ts';
import { McpClient } from './client.ts';
import { hasEnded } from './handshake.ts';
import { type OpenedServer, openServer } from './open-server.ts';
import type { Session } from './session.ts';
import type { ListedTools } from './tool-list.ts';
import { toolOutcome } from './tool-outcome.ts';

/** How many connectors have a session in a process. */
const KEPT = 1_000;
/** How long a look at the tools of a server may take, with the handshake, in milliseconds. */
const LOOK_MS = 5_000;
/** How long what a look found counts: for a tool as its definition names it, and for another one, in milliseconds. */
const [ALIKE_MS, UNLIKE_MS] = [300_000, 10_000];
/** Room for the message around a result, and for notifications before it, in bytes. */
const ENVELOPE_BYTES = 64 * 1024;

/** A tool as a definition names it. */
export interface NamedTool {
  readonly name: string;
  readonly digest: string;
  /** When the definition was last changed. */
  readonly definedAt: Date;
}

/** A request that was not sent, or the server that gave no list. */
export interface Unavailable {
  readonly is: 'unavailable';
  readonly cause: Cause;
}

interface ToolCall {
  readonly tool: NamedTool;
  /** The arguments of the tool, and headers of their own: names in lower case. */
  readonly arguments: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorizing: Authorizing;
  readonly signal: AbortSignal;
  readonly isRepeatable: boolean;
  /** The most bytes of the result. */
  readonly maxBytes: number;
  readonly hold?: (bytes: number) => boolean;
}

/** What a process knows of a server. */
interface Known {
  readonly session: Session;
  /** By name. A name that two tools have, or a tool with another problem, has none. */
  readonly digests: ReadonlyMap<string, string>;
  readonly lookedAt: Date;
  /** Whether the server knows the session no more, said that its tools have changed, or may have other ones. */
  isOld?: 'ended' | 'changed' | 'doubted';
}

interface Server {
  /** The change of the connector that it belongs to. */
  readonly of: number;
  known?: Known;
  looking?: Promise<Known | Unavailable> | undefined;
}

/** The MCP servers behind connectors: one session with each in a process, and the digests of its tools. */
export class McpServers {
  readonly #sender: Sender;
  readonly #servers = new LRUCache<string, Server>({ max: KEPT });

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The tools of a server as they are now. @throws JsonBusyError */
  async tools(connector: StoredConnector, authorizing: Authorizing): Promise<ListedTools | Unavailable> {
    const server = this.#serverOf(connector);
    const opened = await this.#open(server, connector, authorizing);
    return 'is' in opened ? opened : opened.listed;
  }

  /**
   * Calls a tool, once; a call in a session that has ended is repeated in a new one, as nothing was done.
   *
   * @throws what `Sender` throws when the call may have been sent; JsonBusyError.
   */
  async call(connector: StoredConnector, call: ToolCall): Promise<EndpointOutcome> {
    const { tool, authorizing, signal, maxBytes, isRepeatable, hold } = call;
    const server = this.#serverOf(connector);
    for (let isFirst = true; ; isFirst = false) {
      const known = await Promise.race([this.#look(server, connector, call), lateAt(signal)]);
      if ('is' in known) return known;
      if (known.digests.get(tool.name) !== tool.digest) return { is: 'unavailable', cause: 'tool_changed' };
      const client = new McpClient({
        sender: this.#sender,
        url: connector.base_url,
        ...{ headers: call.headers, authorizing, signal },
      });
      const request = {
        method: 'tools/call',
        params: { name: tool.name, arguments: call.arguments },
        name: tool.name,
      };
      const limits = { maxBytes: maxBytes + ENVELOPE_BYTES, isRepeatable, ...(hold && { hold }) };
      const reply = await client.request(known.session, request, limits);
      if ('is' in reply) return reply;
      // A tool that the server does not know is an error, as is a wrong input.
      if (reply.message?.error !== undefined) known.isOld ??= 'doubted';
      if (reply.saysChanged) known.isOld = 'changed';
      if (hasEnded(known.session, reply)) known.isOld = 'ended';
      if (known.isOld === 'ended' && isFirst) continue;
      return await toolOutcome(reply, { maxBytes, hasCredential: hasCredential(connector) });
    }
  }

  #serverOf({ _id, updated_at }: StoredConnector): Server {
    const of = updated_at.getTime();
    const present = this.#servers.get(_id);
    if (present?.of === of) return present;
    const server = { of };
    this.#servers.set(_id, server);
    return server;
  }

  /** What is known of a server, after a look when that is due. All calls share one. */
  #look(
    server: Server,
    connector: StoredConnector,
    { tool, authorizing }: ToolCall,
  ): Promise<Known | Unavailable> {
    if (server.known !== undefined && isFresh(server.known, tool)) return Promise.resolve(server.known);
    server.looking ??= this.#open(server, connector, authorizing)
      .then((opened) => ('is' in opened ? opened : server.known!))
      .finally(() => {
        server.looking = undefined;
      });
    return server.looking;
  }

  async #open(
    server: Server,
    connector: StoredConnector,
    authorizing: Authorizing,
  ): Promise<OpenedServer | Unavailable> {
    const { known } = server;
    const signal = AbortSignal.timeout(LOOK_MS);
    const headers = connector.headers.map(([name, value]) => [name.toLowerCase(), value]);
    const client = new McpClient({
      sender: this.#sender,
      url: connector.base_url,
      headers: { 'user-agent': 'action-platform', ...Object.fromEntries(headers) },
      ...{ authorizing, signal },
    });
    const former = known?.isOld === 'ended' ? undefined : known?.session;
    try {
      const opened = await openServer(client, hasCredential(connector), former);
      if (!('is' in opened)) server.known = knownOf(opened);
      return opened;
    } catch (error) {
      if (isDefect(error) || error instanceof JsonBusyError) throw error;
      return { is: 'unavailable', cause: requestFailure(error, signal) };
    }
  }
}

function knownOf({ session, listed }: OpenedServer): Known {
  const callable = listed.tools.filter(({ problem }) => problem === undefined);
  const digests = new Map(callable.map(({ name, digest }) => [name, digest]));
  return { session, digests, lookedAt: new Date() };
}

/** Whether a look that was made counts for a tool: for an unlike one shortly, and not once its definition was changed. */
function isFresh({ digests, lookedAt, isOld }: Known, { name, digest, definedAt }: NamedTool): boolean {
  if (isOld === 'ended' || isOld === 'changed') return false;
  const age = Date.now() - lookedAt.getTime();
  if (digests.get(name) === digest) return age < (isOld === undefined ? ALIKE_MS : UNLIKE_MS);
  return age < UNLIKE_MS && lookedAt > definedAt;
}

/** The outcome of a call whose time is up before it is sent. */
function lateAt(signal: AbortSignal): Promise<Unavailable> {
  const late = { is: 'unavailable', cause: 'timeout' } as const;
  if (signal.aborted) return Promise.resolve(late);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(late), { once: true });
  });
}
