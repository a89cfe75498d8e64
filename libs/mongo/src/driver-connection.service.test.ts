import { openTestDatabase } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { type DriverConnection, driverConnection } from './driver-connection.ts';

test('the driver calls `command` for every command and `cleanup` at every end of a connection', async () => {
  const { command, cleanup } = driverConnection;
  const seen: string[] = [];
  driverConnection.command = function (this: DriverConnection, namespace, sent, ...rest) {
    seen.push(`${Object.keys(sent)[0]} ${namespace.db}`);
    expect([typeof this.address, typeof this.closed, typeof this.socket.emit]).toEqual([
      'string',
      'boolean',
      'function',
    ]);
    return command.call(this, namespace, sent, ...rest);
  };
  driverConnection.cleanup = function (this: DriverConnection, error) {
    seen.push('cleanup');
    cleanup.call(this, error);
  };
  try {
    const database = await openTestDatabase('driver-connection');
    const { databaseName } = database.db;
    await database.db.collection('things').insertOne({});
    await database.db.collection('things').findOne();
    await database.close();
    expect(seen).toEqual(
      expect.arrayContaining([`insert ${databaseName}`, `find ${databaseName}`, 'cleanup']),
    );
  } finally {
    Object.assign(driverConnection, { command, cleanup });
  }
});

test('a pool has the option that `checkPoolsRarely` sets', async () => {
  const { client, close } = await openTestDatabase('driver-connection');
  const { topology } = client as unknown as {
    readonly topology: { readonly s: { readonly servers: ReadonlyMap<string, { readonly pool: Pool }> } };
  };
  const [server] = topology.s.servers.values();
  expect(server?.pool.options.minPoolSizeCheckFrequencyMS).toBe(60_000);
  await close();
});

interface Pool {
  readonly options: { readonly minPoolSizeCheckFrequencyMS: number };
}
