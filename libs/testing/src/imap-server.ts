import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { listen } from './listen.ts';

/** The answer of a server to a command, or to a connection ("greeting"): lines before its OK, or its refusal; null for no answer at all. */
export type ImapScript = (
  command: string,
  socket: Socket,
) => string | { readonly refusal: string } | null | undefined;

const ANSWERS: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1 UIDPLUS SPECIAL-USE AUTH=PLAIN SASL-IR\r\n',
  LIST: '* LIST (\\Drafts) "/" Drafts\r\n',
  SELECT: '* 2 EXISTS\r\n* FLAGS (\\Draft \\Deleted)\r\n* OK [UIDVALIDITY 1]\r\n',
};

/** An IMAP server with TLS on this machine and one folder, Drafts, that misbehaves as a test says. */
export class ImapServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Answers instead of the server where it returns something. */
  script: ImapScript = () => undefined;

  /** @param pem its certificate and private key */
  constructor(pem: string) {
    this.#server = createServer({ cert: pem, key: pem }, (socket) => this.#serve(socket));
    this.#server.on('tlsClientError', () => {});
  }

  async start(): Promise<this> {
    await listen(this.#server);
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** Resolves when the other side has closed every connection. */
  async closed(): Promise<void> {
    const closed = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve));
    await Promise.all([...this.#sockets].map(closed));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const [tag = '', ...words] = received.slice(0, end).split(' ');
        received = received.slice(end + 2);
        this.#answer(socket, words.join(' '), tag);
      }
    });
    this.#answer(socket, 'greeting', '*');
  }

  #answer(socket: Socket, command: string, tag: string): void {
    const [name = ''] = command.split(' ');
    const scripted = this.script(command, socket);
    if (scripted === null) return;
    if (typeof scripted === 'object') socket.write(`${tag} ${scripted.refusal}\r\n`);
    else socket.write(`${scripted ?? ANSWERS[name] ?? ''}${tag} OK done\r\n`);
  }
}
