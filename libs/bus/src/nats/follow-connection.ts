import { counts } from '@action-platform/telemetry';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { BusOptions } from './connect.ts';
import type { Connection } from './connection.ts';
import { Handshakes } from './internals.ts';
import { PartitionDetector } from './partition-detector.ts';

const reconnected = counts('bus.reconnects');

/** Restores answers that a connection may have lost. */
interface AnswerKeeper {
  /** The connection works again. */
  connectionRegained(): void;
  /** The NATS server refused a message on this subject. */
  refused(subject: string): void;
}

/** Follows what the client reports of its connection, until it is closed: breaks, reconnections and refused messages. */
export async function followConnection(
  nc: NatsConnection,
  connection: Connection,
  keeper: AnswerKeeper,
  onEvent: BusOptions['onEvent'],
): Promise<void> {
  const handshakes = new Handshakes(nc);
  let reported = '';
  const warn = (message: string) => onEvent?.({ level: 'warn', message });
  const partitions = new PartitionDetector(nc, () =>
    warn('the NATS server reaches a minority of its cluster; changing to another'),
  );
  for await (const status of nc.status()) {
    handshakes.take(status);
    partitions.take(status);
    if (status.type === 'disconnect') {
      // An attempt to reconnect that breaks is another one, and has a reconnection of its own.
      const isFirst = connection.isConnected;
      connection.lost();
      if (isFirst) warn('lost the connection to the NATS server; reconnecting');
    } else if (status.type === 'reconnect' && !connection.isConnected) {
      connection.regained();
      keeper.connectionRegained();
      reconnected(1);
      onEvent?.({ level: 'info', message: 'reconnected to the NATS server' });
    } else if (status.type === 'error') {
      const { error } = status;
      if (error instanceof errors.PermissionViolationError && error.operation === 'publish')
        keeper.refused(error.subject);
      // Refused attempts to reconnect report the same each half second.
      if (connection.isConnected || error.message !== reported)
        warn(`the NATS server reports: ${error.message}`);
      reported = error.message;
    }
  }
  connection.lost();
}
