/**
 * The least that the parts of a call cost: `floors.ts http` only answers, `floors.ts nats` makes one request over NATS to itself
 * for each call, `floors.ts find` one query by `_id`. A call of the platform takes two of either.
 */
import { createServer } from 'node:http';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';

const { MONGODB_URL, NATS_URL, PORT } = process.env;
/** Names a Collection and a Record, as the scenarios need. */
const ANSWER = JSON.stringify({ result: { collection: { id: 'col' }, record: { id: 'rec' } } });

const parts: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  http: async () => async () => undefined,
  nats: async () => {
    const connection = await connect({ servers: NATS_URL!, noAsyncTraces: true });
    connection.subscribe('floor', { callback: (_error, message) => void message.respond(message.data) });
    return () => connection.request('floor', ANSWER, { timeout: 10_000 });
  },
  find: async () => {
    const client = await MongoClient.connect(MONGODB_URL!, { readConcern: { level: 'majority' } });
    const stored = client.db('floor').collection<{ _id: string; answer: string }>('records');
    await stored.insertOne({ _id: 'rec', answer: ANSWER });
    return () => stored.findOne({ _id: 'rec' });
  },
};
const work = await parts[process.argv[2]!]!();

createServer((request, response) => {
  request.resume();
  request.on('end', async () => {
    if (request.method === 'POST') await work();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(ANSWER);
  });
}).listen(Number(PORT), '127.0.0.1');

process.once('SIGTERM', () => process.exit());
