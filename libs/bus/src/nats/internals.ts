/*
 * The private parts of the NATS client that the bus uses, all of them, as of `@nats-io/nats-core` 3.4.
 *
 * - `protocol.connectError`, to end a handshake whose connection broke. The client waits until the time limit for connecting is
 *   over before it tries again, which costs seconds each time a server dies soon after it came up.
 * - `Msg.size()`, which the types leave out, to know the size of the headers before they are parsed. The client takes time
 *   that grows with the square of their number.
 *
 * `internals.service.test.ts` fails when a version of the client changes either.
 */
import type { Msg, NatsConnection, Status } from '@nats-io/transport-node';

interface Internals {
  readonly protocol?: { readonly connectError?: ((error: Error) => void) | undefined };
}

/** Ends handshakes whose connection broke. */
export class Handshakes {
  readonly #nc: NatsConnection & Internals;
  #isUnderWay = false;

  constructor(nc: NatsConnection) {
    this.#nc = nc;
  }

  /** Takes a status of the client. */
  take({ type }: Status): void {
    // Outside a handshake, the disconnect is of the connection before, and the next handshake may have begun.
    if (type === 'disconnect' && this.#isUnderWay) {
      this.#nc.protocol?.connectError?.(new Error('the connection broke during the handshake'));
    }
    if (type === 'reconnecting') this.#isUnderWay = true;
    else if (type === 'disconnect' || type === 'reconnect') this.#isUnderWay = false;
  }
}

/** How many bytes the headers of a message take, unparsed. */
export function headersBytes(message: Msg): number {
  const { subject, reply = '', data } = message;
  // Subject, reply subject, headers and body together.
  const bytes = (message as Msg & { size(): number }).size();
  return bytes - data.length - Buffer.byteLength(subject) - Buffer.byteLength(reply);
}
