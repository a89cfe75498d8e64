import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { testCertificate } from '@action-platform/testing';
import type { ImapAccount } from '../providers/imap/imap-provider.ts';

/** The answer of the server to a command, before its tagged OK; null for no answer at all. */
export type ImapScript = (command: string, socket: Socket) => string | null | undefined;

const ANSWERS: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1 UIDPLUS SPECIAL-USE AUTH=PLAIN SASL-IR\r\n',
  LIST: '* LIST (\\Drafts) "/" Drafts\r\n',
  SELECT: '* 2 EXISTS\r\n* FLAGS (\\Draft \\Deleted)\r\n* OK [UIDVALIDITY 1]\r\n',
};

/** An IMAP server with one folder, Drafts, that misbehaves as a test says. */
export class ScriptedImap {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #authority: string;
  /** Answers instead of the server where it returns something. */
  script: ImapScript = () => undefined;

  private constructor(server: Server, authority: string) {
    this.#server = server;
    this.#authority = authority;
    server.on('secureConnection', (socket) => this.#serve(socket));
  }

  static async start(): Promise<ScriptedImap> {
    const { authority, server: pem } = await testCertificate();
    const server = createServer({ cert: pem, key: pem }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedImap(server, authority);
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  get account(): ImapAccount {
    const { port } = this.#server.address() as AddressInfo;
    const settings = { host: '127.0.0.1', port, starttls: false, ca: this.#authority };
    return { accountId: 'mac_1', workspaceId: 'ws_1', email: 'ada@example.com', settings, secret: 'SECRET' };
  }

  /** Resolves when the other side has closed every connection. */
  async closed(): Promise<void> {
    const closed = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve));
    await Promise.all([...this.#sockets].map(closed));
  }

  /** Writes a text again and again, until the connection ends; returns null, as no answer follows. */
  flood(socket: Socket, text: string): null {
    const chunk = text.repeat(Math.ceil(65_536 / text.length));
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) {}
    };
    socket.on('drain', more);
    more();
    return null;
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
        this.#answer(socket, tag, words.join(' '));
      }
    });
    const greeting = this.script('greeting', socket);
    if (greeting !== null) socket.write(greeting ?? '* OK ready\r\n');
  }

  #answer(socket: Socket, tag: string, command: string): void {
    const scripted = this.script(command, socket);
    if (scripted === null) return;
    const [name = ''] = command.split(' ');
    socket.write(`${scripted ?? ANSWERS[name] ?? ''}${tag} OK done\r\n`);
  }
}
