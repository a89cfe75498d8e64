import { durations, gauge } from '@action-platform/telemetry';
import type { MongoClient } from 'mongodb';

const waiting = durations('db.client.connection.wait_time');

/** Measures the connection pool, by OpenTelemetry's conventions for databases, and whether a primary is reachable. */
export function observePool(client: MongoClient): void {
  let open = 0;
  let used = 0;
  let pending = 0;
  client.on('connectionCreated', () => open++);
  client.on('connectionClosed', () => open--);
  client.on('connectionCheckOutStarted', () => pending++);
  client.on('connectionCheckOutFailed', () => pending--);
  client.on('connectionCheckedOut', ({ durationMS }) => {
    pending--;
    used++;
    // The pool returns a free connection within a millisecond, which is not counted as a wait.
    if (durationMS > 1) waiting(durationMS, {});
  });
  client.on('connectionCheckedIn', () => used--);
  gauge('db.client.connection.count', () => used, { 'db.client.connection.state': 'used' });
  gauge('db.client.connection.count', () => open - used, { 'db.client.connection.state': 'idle' });
  gauge('db.client.connection.pending_requests', () => pending);
  let isWritable = false;
  let missing = 0;
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    const known = [...servers.values()];
    isWritable = known.some((server) => server.isWritable);
    // A missing primary is another failure: all writes fail then.
    missing = isWritable ? known.filter(({ type }) => type === 'Unknown').length : 0;
  });
  gauge('db.client.members.missing', () => missing);
  gauge('db.client.writable', () => Number(isWritable));
}
