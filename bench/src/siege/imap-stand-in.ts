import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { createServer, type TLSSocket } from 'node:tls';
import { testCertificate } from '@action-platform/testing';

/** The untagged answers of an empty mailbox, by command. */
const answers: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1 UIDPLUS SPECIAL-USE\r\n',
  LIST: '* LIST (\\Drafts) "/" Drafts\r\n',
  LSUB: '',
  SELECT: '* 0 EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n* OK [UIDNEXT 1] next\r\n',
};

/** An IMAP server that accepts every draft, until it hangs: it accepts connections then, and says nothing. */
export interface ImapStandIn {
  readonly port: number;
  /** Its authority (PEM), which a client has to trust. */
  readonly authority: string;
  hangs: boolean;
}

/** Starts one on 127.0.0.1. */
export async function startImapStandIn(stops: AsyncDisposableStack): Promise<ImapStandIn> {
  const { authority, server: pem } = await testCertificate();
  const sockets = new Set<Socket>();
  const server = createServer({ cert: pem, key: pem, noDelay: true }, (socket) => serve(socket));
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.defer(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const standIn = { port: (server.address() as AddressInfo).port, authority, hangs: false };
  function serve(socket: TLSSocket): void {
    socket.on('error', () => {});
    if (standIn.hangs) return;
    socket.write('* OK ready\r\n');
    let tag = '';
    /** The bytes that are left of a message and the end of its line. */
    let rest = 0;
    createInterface({ input: socket }).on('line', (line) => {
      if (rest > 0) {
        rest -= Buffer.byteLength(line) + 2;
      } else {
        const [nextTag = '', command = ''] = line.split(' ');
        const literal = /\{(\d+)\}$/.exec(line);
        tag = nextTag;
        rest = literal === null ? 0 : Number(literal[1]) + 2;
        socket.write(literal === null ? (answers[command.toUpperCase()] ?? '') : '+ go on\r\n');
      }
      if (rest <= 0) socket.write(`${tag} OK [APPENDUID 1 1] done\r\n`);
    });
  }
  return standIn;
}
