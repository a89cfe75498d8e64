import { Receiver } from '@action-platform/testing';
import { misbehaviours } from '../harness/faults/bad-endpoints.ts';

/** Answers as a custom operation does, which a webhook accepts too. */
export const accept: Receiver['answer'] = (_received, response) => response.end('{}');

/** The kinds of hostile endpoints. */
export const endpointKinds = [
  'answers 103 without end',
  'answers a byte each second',
  'answers with 9 MB of headers',
] as const;

/** An endpoint that is ordinary until it is hostile. */
export class HostileEndpoint {
  readonly kind: (typeof endpointKinds)[number];
  readonly #receiver: Receiver;
  isHostile = false;
  /** How often the endpoint misbehaved. */
  misbehaved = 0;

  private constructor(kind: (typeof endpointKinds)[number], receiver: Receiver) {
    this.kind = kind;
    this.#receiver = receiver;
  }

  static async start(kind: (typeof endpointKinds)[number]): Promise<HostileEndpoint> {
    const receiver = await Receiver.start();
    const endpoint = new HostileEndpoint(kind, receiver);
    receiver.answer = (received, response) => {
      // The bodies of minutes of requests would be kept.
      receiver.received.length = 0;
      if (!endpoint.isHostile) return accept(received, response);
      endpoint.misbehaved++;
      return misbehaviours[kind](response);
    };
    return endpoint;
  }

  get url(): string {
    return this.#receiver.url;
  }

  stop(): void {
    this.#receiver.stop();
  }
}
