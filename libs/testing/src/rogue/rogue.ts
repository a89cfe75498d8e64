import { connect, type Socket } from 'node:net';
import { connect as encrypted } from 'node:tls';
import { nkeyAuthenticator } from '@action-platform/bus';
import { ProtocolReader, type ReceivedMessage } from './protocol-reader.ts';

/** The parts of an outgoing message besides its subject. */
export interface Outgoing {
  /** The subject for the answer. */
  readonly reply?: string;
  /** Raw header lines, each with its CR LF. */
  readonly headers?: string;
  readonly body?: string | Uint8Array;
}

const ATTEMPTS = 5;

/**
 * A hostile client with the nkey of a bus user. `Rogue` implements the NATS protocol itself, because client libraries refuse to send some
 * messages that a hostile client can send.
 */
export class Rogue {
  readonly #socket: Socket;
  readonly #hearers = new Map<string, (message: ReceivedMessage) => void>();
  readonly #pongs: (() => void)[] = [];
  /** The error lines of the NATS server. */
  readonly refusals: string[] = [];

  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    socket.once('close', resolve);
  }

  /**
   * @param seed the nkey seed of the user (`SU…`).
   * @param authority the certificate of the server's authority, as PEM, for TLS.
   * @throws Error with the lines of the NATS server when it refuses the connection.
   */
  static async connect(url: string, seed: string, authority?: string): Promise<Rogue> {
    for (let attempt = 1; ; attempt++) {
      const { rogue, isAccepted } = await Rogue.#attempt(url, seed, authority);
      if (isAccepted) return rogue;
      // On a busy machine the handshake can take longer than the server allows; its error may not even arrive.
      const isLate = rogue.refusals.every((refusal) => refusal.includes('Authentication Timeout'));
      if (isLate && attempt < ATTEMPTS) continue;
      throw new Error(`The NATS server has closed the connection: ${rogue.refusals.join('; ')}`);
    }
  }

  static async #attempt(
    url: string,
    seed: string,
    authority: string | undefined,
  ): Promise<{ rogue: Rogue; isAccepted: boolean }> {
    const { hostname: host, port } = new URL(url);
    const address = { host, port: Number(port) };
    const socket = authority === undefined ? connect(address) : encrypted({ ...address, ca: authority });
    const rogue = new Rogue(socket);
    const reader = new ProtocolReader();
    const greeted = Promise.withResolvers<string | undefined>();
    void rogue.closed.then(() => greeted.resolve(undefined));
    // A reset counts as closed. Other errors, such as of a certificate, would repeat.
    const fail = (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || greeted.reject(error);
    socket.on('error', fail).on('data', (bytes: Buffer) => {
      for (const { line, subscription, message } of reader.read(bytes)) {
        if (message !== undefined) rogue.#hearers.get(subscription!)?.(message);
        else if (line.startsWith('INFO ')) greeted.resolve(line.slice('INFO '.length));
        else if (line === 'PING') rogue.#write('PONG\r\n');
        else if (line === 'PONG') rogue.#pongs.shift()?.();
        else rogue.refusals.push(line);
      }
    });
    const greeting = await greeted.promise;
    if (greeting === undefined) return { rogue, isAccepted: false };
    const { nonce } = JSON.parse(greeting) as { nonce: string };
    const options = { verbose: false, pedantic: false, headers: true, no_responders: true };
    const connection = JSON.stringify({ ...options, ...nkeyAuthenticator(seed)(nonce) });
    const isAccepted = Promise.race([rogue.#pong().then(() => true), rogue.closed.then(() => false)]);
    // In one write: a server that closes with unread bytes resets the connection, which loses its last line.
    rogue.#write(`CONNECT ${connection}\r\nPING\r\n`);
    return { rogue, isAccepted: await isAccepted };
  }

  /** Receives the messages of a subject; in a queue group, its share. */
  async subscribe(subject: string, hear: (message: ReceivedMessage) => void, queue = ''): Promise<void> {
    this.ask(subject, hear, queue);
    await this.flush();
  }

  /** The same without waiting for the server. */
  ask(subject: string, hear: (message: ReceivedMessage) => void, queue = ''): void {
    const id = String(this.#hearers.size + 1);
    this.#hearers.set(id, hear);
    this.#write(`SUB ${subject} ${queue} ${id}\r\n`);
  }

  publish(subject: string, { reply = '', headers, body = '' }: Outgoing = {}): void {
    const bytes = Buffer.from(body as string);
    if (headers === undefined) {
      this.#write(`PUB ${subject} ${reply} ${bytes.length}\r\n`);
    } else {
      const block = Buffer.from(`NATS/1.0\r\n${headers}\r\n`);
      this.#write(`HPUB ${subject} ${reply} ${block.length} ${block.length + bytes.length}\r\n`);
      this.#write(block);
    }
    this.#write(bytes);
    this.#write('\r\n');
  }

  /** Resolves once the NATS server has processed everything sent so far. */
  async flush(): Promise<void> {
    const pong = this.#pong();
    this.#write('PING\r\n');
    await pong;
  }

  async close(): Promise<void> {
    if (this.#socket.closed) return;
    this.#socket.destroy();
    await this.closed;
  }

  #pong(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pongs.push(resolve);
    return promise;
  }

  #write(bytes: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }
}
