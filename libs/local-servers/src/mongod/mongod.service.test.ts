import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { LocalServer } from '../process/server.ts';
import { startMongod } from './mongod.ts';

let directory: string;
let servers: LocalServer[];

beforeEach(() => {
  directory = makeTestFolder();
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(directory, { recursive: true });
});

async function start(options: { data?: string; port?: number } = {}) {
  const { data = 'data', ...rest } = options;
  const server = await startMongod({
    dataDir: join(directory, data),
    logFile: join(directory, `${data}.log`),
    ...rest,
  });
  servers.push(server);
  return server;
}

async function withNotes<T>(url: string, use: (notes: ReturnType<typeof notesOf>) => Promise<T>): Promise<T> {
  const client = new MongoClient(url);
  try {
    return await use(notesOf(client));
  } finally {
    await client.close();
  }
}

const notesOf = (client: MongoClient) =>
  client.db('test').collection<{ _id: string }>('notes', { writeConcern: { w: 'majority', journal: true } });

test('stop shuts it down cleanly, and may be repeated', async () => {
  const server = await start();
  await server.stop();
  await server.stop();
  expect(await server.exited).toEqual({ code: 0, signal: null, reason: 'exit code 0' });
});

test('the error for a port or data directory in use is one line, with the log', async () => {
  const { port } = await start();
  const failed = (reason: string, log: string) =>
    new RegExp(`^mongod did not start: .*${reason}.* \\(log: ${join(directory, log)}\\)$`);
  await expect(start({ data: 'other', port })).rejects.toThrow(failed('Address already in use', 'other.log'));
  await expect(start()).rejects.toThrow(failed('Another mongod instance is already running', 'data.log'));
});

test('the log omits the content of operations, also of slow ones', async () => {
  const { url, stop } = await start();
  await withNotes(url, async (notes) => {
    await notes.insertOne({ _id: 'a-secret-key' });
    // Longer than the 100 ms from which on mongod takes an operation for slow.
    const slowly = { _id: 'a-secret-key', $where: 'sleep(200) || true' };
    await notes.updateOne(slowly, { $set: { text: 'a-secret-payload' } });
    expect(await notes.countDocuments({ text: 'a-secret-payload' } as object)).toBe(1);
  });
  await stop();
  expect(readFileSync(join(directory, 'data.log'), 'utf8')).not.toMatch(/a-secret|Slow query/);
});
