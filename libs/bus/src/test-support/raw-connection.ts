import { inboxPrefix } from '@action-platform/contracts';
import {
  headers as createHeaders,
  createInbox,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { type BusOptions, connectToServer } from '../connection.ts';

/** A message as it is on the bus. */
export interface RawMessage {
  readonly subject: string;
  /** Names and values as they are; a name may come twice. */
  readonly headers: readonly (readonly [string, string])[];
  /** Bytes. */
  readonly body: Uint8Array;
  /** Where answers are expected. */
  readonly reply: string | undefined;
}

/** A message to be sent; what is left out is not in it. */
export interface RawSending {
  readonly headers?: RawMessage['headers'] | undefined;
  readonly body?: Uint8Array | undefined;
  readonly reply?: string | undefined;
}

/** A connection with the rights of a bus user and nothing of the bus's own manners, for tests that say what no part says. */
export class RawConnection {
  readonly #nc: NatsConnection;
  readonly #prefix: string;

  private constructor(nc: NatsConnection, options: BusOptions) {
    this.#nc = nc;
    this.#prefix = inboxPrefix(options.user);
  }

  static async open(options: BusOptions): Promise<RawConnection> {
    return new RawConnection(await connectToServer(options), options);
  }

  /** Sends a message; false when the client itself finds that there can be no such message. */
  publish(subject: string, { headers = [], body, reply }: RawSending = {}): boolean {
    try {
      this.#nc.publish(subject, body, {
        headers: toHeaders(headers),
        ...(reply === undefined ? {} : { reply }),
      });
      return true;
    } catch {
      return false;
    }
  }

  /** A subject of its own inbox, and whatever comes there and below it, until it is closed. */
  inbox(receive: (message: RawMessage) => void): { readonly subject: string; close(): void } {
    const subject = `${createInbox(this.#prefix)}.0`;
    const callback = callbackOf(receive);
    const both = [subject, `${subject}.>`].map((each) => this.#nc.subscribe(each, { callback }));
    return {
      subject,
      close: () => {
        for (const subscription of both) subscription.unsubscribe();
      },
    };
  }

  /** Serves a subject, which may have wildcards, in the queue group of a service. */
  serve(subject: string, queue: string, receive: (message: RawMessage) => void): void {
    this.#nc.subscribe(subject, { queue, callback: callbackOf(receive) });
  }

  /** Resolves once the server knows of everything asked of it so far. */
  flush(): Promise<void> {
    return this.#nc.flush();
  }

  close(): Promise<void> {
    return this.#nc.close();
  }
}

function callbackOf(receive: (message: RawMessage) => void) {
  return (error: Error | null, message: Msg): void => {
    if (error === null) receive(fromMessage(message));
  };
}

function toHeaders(entries: RawMessage['headers']): MsgHdrs {
  const headers = createHeaders();
  for (const [name, value] of entries) headers.append(name, value);
  return headers;
}

function fromMessage({ subject, headers, data, reply }: Msg): RawMessage {
  const entries = [...(headers ?? [])].flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  // The NATS server's own word, such as 503 for a subject that nobody serves, is the status line of the headers.
  const line = headers?.code ? ([['nats', String(headers.code)]] as const) : [];
  return { subject, headers: [...line, ...entries], body: data, reply: reply || undefined };
}
