/** The least that a hop over the bus can cost: a request is answered with itself. */
import { connect } from '@nats-io/transport-node';

const connection = await connect({ servers: process.env.NATS_URL!, noAsyncTraces: true });
connection.subscribe('bench.echo', {
  queue: 'echo',
  callback: (_error, message) => void message.respond(message.data),
});
process.once('SIGTERM', () => void connection.drain());
