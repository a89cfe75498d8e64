import type { LookupAddress } from 'node:dns';
import { connect, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { ImapTransport, ImapTransportConnectOptions, ImapTransportOptions } from 'imapflow';
import { ImapFailure } from './refusals.ts';

/** The most bytes that a server may send in a session, apart from the messages that it is asked for. */
const SESSION_BYTES = 1024 * 1024;

/** The connection of a session, which ends once the server has sent more than it may. Nothing of the connection remains after `close`. */
export class BoundedTransport implements ImapTransport {
  readonly #sockets: Socket[] = [];
  #left = SESSION_BYTES;
  readonly #addresses: readonly LookupAddress[];

  /** @param addresses of the server, whatever its name has by now. */
  constructor(addresses: readonly LookupAddress[]) {
    this.#addresses = addresses;
  }

  /** Lets the server send so many more bytes. */
  allow(bytes: number): void {
    this.#left += bytes;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  connect({ secure, tls, ...named }: ImapTransportConnectOptions, onConnect: () => void): Socket {
    const server = { ...named, lookup: this.#lookup };
    return this.#open(secure ? connectTls({ ...server, ...tls }) : connect(server), onConnect);
  }

  /** STARTTLS: what the server sends before its handshake is not read here, but refused by the client. */
  prepareUpgrade(socket: NodeJS.EventEmitter): void {
    socket.off('data', this.#count);
  }

  upgrade(socket: unknown, { tls, ...server }: ImapTransportOptions, onSecure: () => void): Socket {
    return this.#open(connectTls({ socket: socket as Socket, ...server, ...tls }), onSecure);
  }

  #open(socket: Socket, onOpen: () => void): Socket {
    this.#sockets.push(socket);
    return socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      socket.on('data', this.#count);
      onOpen();
    });
  }

  readonly #lookup: LookupFunction = (_host, { all }, done) => {
    const [first] = this.#addresses;
    if (all) done(null, [...this.#addresses]);
    else done(null, first!.address, first!.family);
  };

  readonly #count = ({ length }: Buffer): void => {
    this.#left -= length;
    if (this.#left >= 0) return;
    for (const socket of this.#sockets) socket.destroy(new ImapFailure('SessionTooLarge'));
  };
}
