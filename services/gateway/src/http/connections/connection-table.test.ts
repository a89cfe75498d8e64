import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { assignOwner, ConnectionTable } from './connection-table.ts';

let table: ConnectionTable;

beforeEach(() => {
  table = new ConnectionTable({ GATEWAY_MAX_CONNECTIONS: 6, GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS: 3 });
});

function connect(count: number, owner?: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = new Socket();
    table.add(socket);
    if (owner !== undefined) assignOwner({ socket } as IncomingMessage, owner);
    return socket;
  });
}

const evicted = (sockets: readonly Socket[]) => sockets.map(({ destroyed }) => destroyed);

test('a further unauthenticated connection evicts the one that has been idle for longest, before busy ones', () => {
  const sockets = connect(3);
  for (const socket of sockets.slice(0, 2)) table.markBusy(socket);
  table.markIdle(sockets[0]!);
  connect(1);
  expect(evicted(sockets)).toEqual([false, false, true]);
  connect(1);
  expect(evicted(sockets)).toEqual([true, false, true]);
});

test('the newest connection stays when all others are busy', () => {
  const sockets = connect(3);
  for (const socket of sockets) table.markBusy(socket);
  const newest = connect(1);
  expect(evicted([...sockets, ...newest])).toEqual([true, false, false, false]);
});

test('a connection keeps its state when its owner becomes known', () => {
  const [busy] = connect(1);
  table.markBusy(busy!);
  assignOwner({ socket: busy } as IncomingMessage, 'most');
  const idle = connect(5, 'most');
  connect(1);
  expect(evicted([busy!, ...idle])).toEqual([false, true, false, false, false, false]);
});
