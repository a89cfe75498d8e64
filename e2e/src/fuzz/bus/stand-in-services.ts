import type { RawConnection, RawMessage } from '@action-platform/bus/raw-connection';
import { busHeaders, type ServiceName } from '@action-platform/contracts';
import type { AnswerMessage, BusAnswers } from './answers.ts';

const FOREIGN = 'grants.authorize';

/** Services that answer every bus request from an input, which they find by the request id. */
export class StandInServices {
  readonly #connections: RawConnection[] = [];
  readonly #inputs = new Map<string, BusAnswers>();
  /** The ids of requests that reached a service, besides those for authority. */
  readonly asked = new Set<string>();

  static async start(open: (service: ServiceName) => Promise<RawConnection>): Promise<StandInServices> {
    const services = new StandInServices();
    await services.#serve(await open('grants'), 'grants', 'grants.>');
    await services.#serve(await open('record-store'), 'record-store', 'op.record-store.>');
    return services;
  }

  /** Sets the answers to the bus requests of one HTTP request. */
  expect(requestId: string, input: BusAnswers): void {
    this.#inputs.set(requestId, input);
  }

  forget(requestId: string): void {
    this.#inputs.delete(requestId);
    this.asked.delete(requestId);
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  async #serve(connection: RawConnection, service: ServiceName, subject: string): Promise<void> {
    this.#connections.push(connection);
    /** Receives credit; the last part of its subject is the request id. */
    const credits = connection.inbox(({ subject: credit, reply }) => {
      const [, requestId = '', position = '0'] = /\.(fuzz-\d+)(?:\.(\d+))?$/.exec(credit) ?? [];
      const chunk = this.#inputs.get(requestId)?.chunks[Number(reply?.split('.').at(-1) ?? position) - 1];
      if (reply === undefined) return;
      // An empty message says that the service failed.
      if (chunk === undefined) connection.publish(reply);
      else send(connection, reply, chunk, undefined);
    });
    connection.serve(subject, service, (message) => {
      const requestId = requestIdOf(message);
      const input = this.#inputs.get(requestId);
      if (input === undefined || message.reply === undefined) return;
      const isAuthority = /^grants\.(authorize|discover)$/.test(message.subject);
      if (!isAuthority) this.asked.add(requestId);
      const own = `${credits.subject}.${requestId}`;
      send(connection, message.reply, isAuthority ? input.authority : input.outcome, own);
    });
    await connection.flush();
  }
}

function send(
  connection: RawConnection,
  to: string,
  { headers, body, reply, times }: AnswerMessage,
  own: string | undefined,
) {
  const replyTo = reply === 'own' ? own : reply === 'foreign' ? FOREIGN : undefined;
  for (let sent = 0; sent < times; sent++) {
    const isSent = connection.publish(to, { headers, body: Buffer.from(body, 'latin1'), reply: replyTo });
    if (!isSent) connection.publish(to);
  }
}

function requestIdOf({ headers }: RawMessage): string {
  return headers.find(([name]) => name === busHeaders.requestId)?.[1] ?? '';
}
