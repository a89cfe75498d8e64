import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { flood } from '../harness/faults/flood.ts';

/** What a server does instead of its usual answer: says a text before its OK, or does something and never answers. */
type Misbehaviour = string | ((socket: Socket) => void);

/** The command, or the greeting, at which a server misbehaves. */
type Script = Readonly<Record<string, Misbehaviour>>;

const LAST_NUMBER = 2 ** 32 - 1;
/** As many lines as a session accepts. */
const LINES = 30_000;
const LONG = 'a'.repeat(8_000);

/** The ways in which servers misbehave. After a lost APPEND, a retry selects the folder. */
const scripts = {
  VANISHED: { SELECT: `* 2 EXISTS\r\n${`* VANISHED 1:${LAST_NUMBER}\r\n`.repeat(LINES)}` },
  'EXISTS of four billion': {
    SELECT: `* ${LAST_NUMBER} EXISTS\r\n`,
    UID: `* SEARCH 1:${LAST_NUMBER}\r\n* ESEARCH UID ALL 1:${LAST_NUMBER}\r\n`,
  },
  'literals without end': {
    LIST: (socket) => flood(socket, `* LIST () "/" {${LONG.length}}\r\n${LONG}\r\n`),
  },
  'LIST without end': { LIST: (socket) => flood(socket, '* LIST () "/" Folder\r\n') },
  'greeting without end': { greeting: (socket) => flood(socket, '* OK ready ') },
} as const satisfies Record<string, Script>;

const ANSWERS: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1 UIDPLUS SPECIAL-USE AUTH=PLAIN SASL-IR\r\n',
  LIST: '* LIST (\\Drafts) "/" Drafts\r\n',
  SELECT: '* 2 EXISTS\r\n* FLAGS (\\Draft \\Deleted)\r\n* OK [UIDVALIDITY 1]\r\n',
};

/** The kinds of hostile mail servers. */
export const mailKinds = Object.keys(scripts) as (keyof typeof scripts)[];

/** An IMAP server with TLS that answers sign-ins well until it is hostile. Then it also loses every draft. */
export class HostileMailServer {
  readonly #server: Server;
  readonly #script: Script;
  readonly #sockets = new Set<Socket>();
  isHostile = false;
  /** How often it misbehaved. */
  misbehaved = 0;

  private constructor(server: Server, script: Script) {
    this.#server = server;
    this.#script = script;
    server.on('secureConnection', (socket) => this.#serve(socket)).on('tlsClientError', () => {});
  }

  /** @param pem its certificate and private key */
  static async start(kind: (typeof mailKinds)[number], pem: string): Promise<HostileMailServer> {
    const server = createServer({ cert: pem, key: pem }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HostileMailServer(server, scripts[kind]);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n'); end >= 0; end = received.indexOf('\r\n')) {
        const [tag = '', name = ''] = received.slice(0, end).split(' ');
        received = received.slice(end + 2);
        this.#answer(socket, name.toUpperCase(), ANSWERS[name] ?? '', `${tag} OK done\r\n`);
      }
    });
    this.#answer(socket, 'greeting', '', '* OK ready\r\n');
  }

  #answer(socket: Socket, name: string, usual: string, end: string): void {
    if (this.isHostile && name === 'APPEND') return void socket.destroy();
    const misbehaviour = this.isHostile ? this.#script[name] : undefined;
    if (misbehaviour !== undefined) this.misbehaved++;
    if (typeof misbehaviour === 'function') misbehaviour(socket);
    else socket.write(`${misbehaviour ?? usual}${end}`);
  }
}
