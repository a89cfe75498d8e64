import type { ServiceName } from '@action-platform/contracts/services';
import type { Connection, Receiver } from '../nats/connection.ts';

/** A receiver that may wait for a replica of a service: a request, or the rest of a long answer. */
export interface InFlight extends Receiver {
  /** Since when the receiver waits, in milliseconds of `performance.now()`; undefined while it does not. */
  readonly waitsSince: number | undefined;
  readonly service: ServiceName | undefined;
  /** The id of the replica, of a long answer. */
  readonly sender?: string | undefined;
  /** The reply subjects of a request. */
  readonly replySubjects?: readonly string[];
  /** A replica has an answer that did not arrive. @param replica its id. @param reply one of `replySubjects` */
  redeliver?(replica: string, reply: string): void;
  /** The replica that it waits for has left or died. */
  replicaLost(): void;
}

/** The receivers of a connection that may wait for a replica. */
export function inFlightOf(connection: Connection): InFlight[] {
  return connection.receivers().filter((receiver): receiver is InFlight => 'replicaLost' in receiver);
}
