import { connect, type Socket } from 'node:net';
import { getRecord } from '@action-platform/contracts/operations';
import { afterEach, expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

/** The gateway's limit, and more silent connections than that. */
const LIMIT = 512;
const SILENT = 750;
const CALLERS = 39;
const CALLS_OF_EACH = 5;

const { harness, standIns } = gatewayWithStandIns(
  [getRecord],
  { GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS: String(LIMIT) },
  'as a process',
);
let hasEnded = false;
const silent = new Set<Socket>();

afterEach(() => {
  hasEnded = true;
  for (const socket of silent) socket.destroy();
});

/** Keeps a connection open on which nothing is sent; opens it again as soon as the gateway closes it. */
function keepSilent(opened: () => void): void {
  if (hasEnded) return;
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1', opened);
  silent.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => {
    silent.delete(socket);
    setImmediate(keepSilent, opened);
  });
}

test('silent connections that reconnect at once keep no known caller from a new connection', async () => {
  standIns.answers.set(getRecord.subject, json({ result: {} }));
  const tokens = await Promise.all(
    Array.from({ length: CALLERS }, (_, index) =>
      harness.issuer.token({ workspaceId: `ws_${index % 3}`, userId: `user-${index}` }),
    ),
  );
  const call = async (token: string) => {
    const connection = await RawConnection.open(harness.url);
    connection.call(getRecord, token, '{}', { Connection: 'close' });
    return (await connection.answer()).status;
  };
  for (const token of tokens) expect(await call(token)).toBe(200);

  let opened = 0;
  for (let i = 0; i < SILENT; i++) keepSilent(() => opened++);
  // The gateway evicts silent connections, whose clients reconnect.
  while (opened < 2 * SILENT) await new Promise(setImmediate);

  const statuses = await Promise.all(
    tokens.map(async (token) => {
      const seen = [];
      for (let i = 0; i < CALLS_OF_EACH; i++) seen.push(await call(token));
      return seen;
    }),
  );
  expect(statuses.flat()).toEqual(Array(CALLERS * CALLS_OF_EACH).fill(200));
}, 120_000);
