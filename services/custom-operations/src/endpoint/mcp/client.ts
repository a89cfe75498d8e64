import { type CallOfText, JsonBusyError, stringifyJson } from '@action-platform/json';
import type { OutboundAnswer, Sender } from '@action-platform/outbound-http';
import { timeUp, type Unavailable } from '../../cause.ts';
import type { Authorizing } from '../authorization.ts';
import { eventReader, isEventStream } from './event-stream.ts';
import { headerText, type RpcMessage, readMessage } from './message.ts';
import type { Session } from './session.ts';

/** The most requests of a server that are declined during a request of this client. */
const DECLINED_MAX = 8;
/** The most characters in the id of a request of a server. */
const ID_MAX = 200;
const ACK_MAX_BYTES = 4 * 1024;
/** How long the end of a session may take, in milliseconds. */
const END_MS = 2_000;
const METHOD_NOT_FOUND = -32_601;

/** A request of JSON-RPC. */
interface RpcRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The name of the tool of `tools/call`. */
  readonly name?: string;
}

/** The limits of an answer, and how it is sent; see `Sender`. */
interface Limits {
  readonly maxBytes: number;
  readonly isRepeatable: boolean;
  readonly hold?: (bytes: number) => boolean;
}

/** The answer to a request. */
export interface Reply {
  readonly answer: OutboundAnswer;
  /** Undefined without one that has the id of the request. */
  readonly message: RpcMessage | undefined;
  /** Whether the server said that its tools have changed. */
  readonly saysChanged: boolean;
  /** The texts that no message may repeat. */
  readonly secrets: readonly string[];
}

interface ClientOptions {
  readonly sender: Sender;
  readonly url: string;
  /** Of every request, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorizing: Authorizing;
  /** The id of the last request to this server: a count of all servers would tell each one how much others are called. */
  readonly ids: { lastId: number };
  /** Whose share of the threads its answers take. */
  readonly reading: CallOfText;
  /** Ends every request but that which ends a session. */
  readonly signal: AbortSignal;
}

/**
 * A client of the Model Context Protocol over streamable HTTP that has no capabilities: `McpClient` declines each request of a server, such
 * as those for sampling. Results stay as they were sent, to the byte.
 */
export class McpClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get reading(): CallOfText {
    return this.#options.reading;
  }

  /** Sends a request and reads until its answer. @throws what `Sender` throws; JsonBusyError */
  async request(
    session: Session,
    { method, params, name }: RpcRequest,
    limits: Limits,
  ): Promise<Reply | Unavailable> {
    const id = ++this.#options.ids.lastId;
    const meta = session.meta && { _meta: session.meta };
    const body = stringifyJson({ jsonrpc: '2.0', id, method, params: { ...params, ...meta } });
    let message: RpcMessage | undefined;
    let saysChanged = false;
    let declined = 0;
    let busy: unknown;
    const see = async (data: string): Promise<boolean> => {
      const read = await readMessage(Buffer.from(data), this.reading);
      if (read?.method === 'notifications/tools/list_changed') saysChanged = true;
      if (read?.method !== undefined) {
        if (read.id === undefined || read.id.text.length > ID_MAX) return false;
        this.#decline(session, read);
        return ++declined > DECLINED_MAX;
      }
      // An error that found no id in the request has none (JSON-RPC 2.0, section 5).
      const isOurs = read?.id?.text === String(id) || (read?.error && (read.id?.text ?? 'null') === 'null');
      if (isOurs) message = read;
      return message !== undefined;
    };
    const seeing = (data: string) =>
      see(data).catch((error: unknown) => {
        busy = error;
        return true;
      });
    const posted = await this.#send('POST', session, body, {
      ...limits,
      headers: session.meta && {
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': headerText(name) }),
      },
      endOf: (headers) => (isEventStream(headers['content-type']) ? eventReader(seeing) : undefined),
    });
    if (busy instanceof JsonBusyError) throw busy;
    if ('is' in posted) return posted;
    const { headers, body: answered } = posted.answer;
    if (answered !== undefined && !isEventStream(headers['content-type'])) await see(answered.toString());
    return { ...posted, message, saysChanged };
  }

  /** Sends a notification. @throws what `Sender` throws */
  async notify(session: Session, method: string): Promise<void> {
    await this.#send('POST', session, JSON.stringify({ jsonrpc: '2.0', method }), {
      maxBytes: ACK_MAX_BYTES,
      isRepeatable: true,
    });
  }

  /** Ends a session (transports, session management), in a time of its own. @throws what `Sender` throws */
  async end(session: Session): Promise<void> {
    const signal = AbortSignal.timeout(END_MS);
    await this.#send('DELETE', session, undefined, { maxBytes: ACK_MAX_BYTES, isRepeatable: true, signal });
  }

  /** Answers a request of the server, in the background: the server may wait for the answer before it sends its own. */
  #decline(session: Session, { id, method }: RpcMessage): void {
    const error = { code: METHOD_NOT_FOUND, message: 'This client serves no requests.' };
    const outcome = method === 'ping' ? { result: {} } : { error };
    const limits = { maxBytes: ACK_MAX_BYTES, isRepeatable: false };
    this.#send('POST', session, stringifyJson({ jsonrpc: '2.0', id, ...outcome }), limits).catch(() => {});
  }

  async #send(
    method: 'POST' | 'DELETE',
    session: Session,
    body: string | undefined,
    {
      headers,
      signal = this.#options.signal,
      ...limits
    }: Limits & {
      readonly signal?: AbortSignal;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly endOf?: NonNullable<Parameters<Sender['send']>[0]['endOf']>;
    },
  ): Promise<Pick<Reply, 'answer' | 'secrets'> | Unavailable> {
    const { sender, url, authorizing, headers: own } = this.#options;
    const credential = await Promise.race([authorizing.credentialFor(body), timeUp(signal)]);
    if ('is' in credential) return credential;
    const answer = await sender.send({
      method,
      url,
      headers: {
        ...own,
        ...credential.headers,
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...session.headers,
        ...headers,
      },
      body,
      signal,
      ...limits,
    });
    authorizing.answered(credential, answer.status);
    return { answer, secrets: credential.secrets };
  }
}
