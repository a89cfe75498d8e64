import { isDefect } from '@action-platform/contracts/errors';
import { type CallOfText, JsonBusyError } from '@action-platform/json';
import { requestFailure, type Sender } from '@action-platform/outbound-http';
import { LRUCache } from 'lru-cache';
import { timeUp, type Unavailable } from '../../cause.ts';
import { hasCredential } from '../../connectors/credentials.ts';
import type { StoredConnector } from '../../connectors/stored-connector.ts';
import type { Authorizing } from '../authorization.ts';
import type { EndpointOutcome } from '../outcome.ts';
import { McpClient } from './client.ts';
import { hasEnded } from './handshake.ts';
import { isFresh, type Known, knownOf, type NamedTool } from './known-tools.ts';
import { type OpenedServer, openServer } from './open-server.ts';
import type { ListedTools } from './tool-list.ts';
import { toolOutcome } from './tool-outcome.ts';

/** How many connectors have a session in a process. */
const KEPT = 1_000;
/** How long a look at the tools of a server may take, with the handshake, in milliseconds. */
const LOOK_MS = 5_000;
/** Room for the message around a result, and for notifications before it, in bytes. */
const ENVELOPE_BYTES = 64 * 1024;

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

interface Server {
  /** When its connector was changed last, in milliseconds since 1970. */
  readonly updatedAt: number;
  known?: Known;
  opening?: Promise<OpenedServer | Unavailable> | undefined;
  /** The id of the last request, in every session. */
  lastId: number;
  /** How many calls and looks are under way. */
  uses: number;
  /** Whether its session ends after the calls and looks under way. */
  isLeft?: true;
}

/**
 * The MCP servers behind connectors: one session with each in a process, and the digests of its tools. A session ends after a change of its
 * connector that this process sees, after the removal that this process serves, when many other connectors are used, and with the process.
 */
export class McpServers {
  readonly #sender: Sender;
  readonly #servers = new LRUCache<string, Server>({ max: KEPT, dispose: (server) => this.#leave(server) });
  readonly #ending = new Set<Promise<void>>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The tools of a server as they are now. */
  async tools(connector: StoredConnector, authorizing: Authorizing): Promise<ListedTools | Unavailable> {
    const opened = await this.#open(this.#serverOf(connector), connector, authorizing);
    return 'is' in opened ? opened : opened.listed;
  }

  /** Ends the session of a connector once its calls have ended. */
  forget({ _id }: StoredConnector): void {
    this.#servers.delete(_id);
  }

  /** Ends every session; resolves when the servers know, within 2 seconds. */
  async close(): Promise<void> {
    this.#servers.clear();
    await Promise.all(this.#ending);
  }

  /**
   * Calls a tool, once; a call in a session that has ended is repeated in a new one, as nothing was done.
   *
   * @throws what `Sender` throws when the call may have been sent; JsonBusyError when it was sent.
   */
  async call(connector: StoredConnector, call: ToolCall): Promise<EndpointOutcome> {
    const server = this.#serverOf(connector);
    return await this.#using(server, () => this.#call(server, connector, call));
  }

  async #call(server: Server, connector: StoredConnector, call: ToolCall): Promise<EndpointOutcome> {
    const { tool, authorizing, signal, maxBytes, isRepeatable, hold } = call;
    for (let isFirst = true; ; isFirst = false) {
      const known = await Promise.race([this.#look(server, connector, call), timeUp(signal)]);
      if ('is' in known) return known;
      if (known.digests.get(tool.name) !== tool.digest) return { is: 'unavailable', cause: 'tool_changed' };
      const client = new McpClient({
        sender: this.#sender,
        url: connector.base_url,
        ...{ headers: call.headers, authorizing, ids: server, reading: readingOf(connector), signal },
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
      if (reply.message?.error !== undefined) known.staleBecause ??= 'doubted';
      if (reply.saysChanged) known.staleBecause = 'changed';
      // A 400 with the id of the request may be the outcome of the tool: the call is not sent again.
      const isOutcome = reply.answer.status === 400 && (reply.message?.id?.text ?? 'null') !== 'null';
      const isEnded = !isOutcome && hasEnded(known.session, reply);
      if (isEnded) known.staleBecause = 'ended';
      // Calls share a session: another call may have found its end, after the server took this one.
      if (isEnded && isFirst) continue;
      return await toolOutcome(reply, { maxBytes, hasCredential: hasCredential(connector) }, client.reading);
    }
  }

  #serverOf({ _id, updated_at }: StoredConnector): Server {
    const updatedAt = updated_at.getTime();
    const present = this.#servers.get(_id);
    if (present?.updatedAt === updatedAt) return present;
    const server = { updatedAt, lastId: 0, uses: 0 };
    this.#servers.set(_id, server);
    return server;
  }

  /** What is known of a server, after a look when that is due. */
  async #look(
    server: Server,
    connector: StoredConnector,
    { tool, authorizing }: ToolCall,
  ): Promise<Known | Unavailable> {
    if (server.known !== undefined && isFresh(server.known, tool)) return server.known;
    const opened = await this.#open(server, connector, authorizing);
    return 'is' in opened ? opened : server.known!;
  }

  /** Looks at the tools of a server, in its session or in a new one. All calls share one look. */
  #open(
    server: Server,
    connector: StoredConnector,
    authorizing: Authorizing,
  ): Promise<OpenedServer | Unavailable> {
    server.opening ??= this.#using(server, () => this.#openAnew(server, connector, authorizing)).finally(
      () => {
        server.opening = undefined;
      },
    );
    return server.opening;
  }

  async #openAnew(
    server: Server,
    connector: StoredConnector,
    authorizing: Authorizing,
  ): Promise<OpenedServer | Unavailable> {
    const headers = connector.headers.map(([name, value]) => [name.toLowerCase(), value]);
    const signal = AbortSignal.timeout(LOOK_MS);
    const options = {
      ...{
        sender: this.#sender,
        url: connector.base_url,
        ids: server,
        reading: readingOf(connector),
        signal,
      },
      headers: { 'user-agent': 'action-platform', ...Object.fromEntries(headers) },
    };
    const former = server.known?.staleBecause === 'ended' ? undefined : server.known?.session;
    try {
      const client = new McpClient({ ...options, authorizing });
      const opened = await openServer(client, hasCredential(connector), former);
      if ('is' in opened) return opened;
      const { session } = opened;
      const end = async () => {
        const credential = authorizing.afterwards();
        if (credential === undefined) return;
        const credentialFor = async () => credential;
        await new McpClient({ ...options, authorizing: { ...authorizing, credentialFor } }).end(session);
      };
      server.known = { ...knownOf(opened), end };
      return opened;
    } catch (error) {
      if (isDefect(error)) throw error;
      const cause = error instanceof JsonBusyError ? 'no_memory' : requestFailure(error, signal);
      return { is: 'unavailable', cause };
    }
  }

  /** Does something with a server, whose session does not end meanwhile. */
  async #using<Outcome>(server: Server, use: () => Promise<Outcome>): Promise<Outcome> {
    server.uses++;
    try {
      return await use();
    } finally {
      server.uses--;
      if (server.isLeft) this.#leave(server);
    }
  }

  /** Ends the session with a server, in the background, when its last use has ended; the server need not agree. */
  #leave(server: Server): void {
    server.isLeft = true;
    const { known } = server;
    if (server.uses > 0 || !known?.session.isKept || known.staleBecause === 'ended') return;
    known.staleBecause = 'ended';
    const ending = known
      .end()
      .catch(() => {})
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** Whose share of the threads the answers of a server take: callers share its session. */
function readingOf({ _id, workspace_id }: StoredConnector): CallOfText {
  return { fairnessKey: { workspace: workspace_id, caller: _id } };
}
