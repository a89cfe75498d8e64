import type { NatsConnection, Status } from '@nats-io/transport-node';

/** What the client does not offer: it lets go of the handshake that it waits for. */
interface Internals {
  readonly protocol?: { readonly connectError?: ((error: Error) => void) | undefined };
}

/**
 * Ends a handshake whose connection is gone. The client (nats-core 3.4) does not notice that: it waits until the time for
 * connecting is over before it tries again. That cost seconds each time that a server was killed soon after it came up.
 */
export class Handshakes {
  readonly #nc: NatsConnection & Internals;
  #isUnderWay = false;

  constructor(nc: NatsConnection) {
    this.#nc = nc;
  }

  /** Takes what the client tells of its connection. */
  hear({ type }: Status): void {
    // Any other disconnect is that of the connection before, and what is begun already is the next one's handshake.
    if (type === 'disconnect' && this.#isUnderWay) {
      this.#nc.protocol?.connectError?.(new Error('the connection broke during the handshake'));
    }
    if (type === 'reconnecting') this.#isUnderWay = true;
    else if (type === 'disconnect' || type === 'reconnect') this.#isUnderWay = false;
  }
}
