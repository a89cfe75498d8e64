import { once } from 'node:events';
import { hashGrantSecret, newGrantSecret } from '@action-platform/contracts/authority';
import { authorize } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { getRecord } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns, json } from './stand-ins.ts';

const MAX_CONNECTIONS = 20;
const MAX_UNAUTHENTICATED = 12;
const MAX_PIPELINED = 4;
const UNAUTHENTICATED_PER_SECOND = 10;
const subject = getRecord.subject;
const { harness, standIns } = gatewayWithStandIns([getRecord], {
  // So that no request exceeds its deadline on a slow machine.
  REQUEST_DEADLINE_MS: '60000',
  GATEWAY_MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS: String(MAX_UNAUTHENTICATED),
  GATEWAY_MAX_PIPELINED: String(MAX_PIPELINED),
  GATEWAY_UNAUTHENTICATED_PER_SECOND: String(UNAUTHENTICATED_PER_SECOND),
});
let held: ReturnType<typeof standIns.hold>;
let connections: RawConnection[];

beforeEach(() => {
  connections = [];
  held = standIns.hold(subject);
});
afterEach(() => {
  held.release();
  for (const { socket } of connections) socket.destroy();
});

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open(harness.url);
  connections.push(connection);
  return connection;
}

/** Pipelines whole calls on a connection. */
function call(connection: RawConnection, bearer = harness.token, times = 1): void {
  const { write } = connection;
  let text = '';
  connection.write = (part) => {
    text += part;
  };
  for (let i = 0; i < times; i++) connection.call(getRecord, bearer);
  connection.write = write;
  connection.write(text);
}

const get = (bearer: string) => harness.execute(bearer, getRecord, {}).then((answer) => answer);

const arrived = () => standIns.calls(subject);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

const closing = ({ socket }: RawConnection) => (socket.closed ? undefined : once(socket, 'close'));
const answersOn = ({ received }: RawConnection) => received.match(/HTTP\/1\.1 /g)?.length ?? 0;

test('a client that opens very many connections evicts its own, with a request under way on each', async () => {
  const other = await harness.issuer.token({ workspaceId: 'ws_2', userId: 'quinn' });
  const used = await open();
  call(used, other);
  await until(() => arrived() === 1);

  const greedy: RawConnection[] = [];
  for (let i = 0; i < 2 * MAX_CONNECTIONS; i++) {
    const connection = await open();
    greedy.push(connection);
    call(connection);
    await until(() => arrived() === 2 + i);
  }
  await Promise.all(greedy.slice(0, MAX_CONNECTIONS).map(closing));
  expect(greedy.at(-1)!.socket.closed).toBe(false);
  held.release();
  await used.receives(/HTTP\/1\.1 200 /);
});

describe('pipelined requests', () => {
  test('begin one after the other, and all are answered', async () => {
    const connection = await open();
    call(connection, harness.token, MAX_PIPELINED);
    await until(() => arrived() === 1);
    expect((await harness.http.get('/livez')).status).toBe(200);
    expect(arrived()).toBe(1);
    held.release();
    await until(() => answersOn(connection) === MAX_PIPELINED);
  });

  test('beyond the limit close their connection', async () => {
    const connection = await open();
    call(connection, harness.token, MAX_PIPELINED + 2);
    await closing(connection);
    expect(arrived()).toBeLessThanOrEqual(1);
  });

  test.each([
    ['503', () => harness.token, /^HTTP\/1\.1 503 /],
    ['401', () => 'made.up.token', /^HTTP\/1\.1 401 .*Connection: close/s],
  ])('are dropped behind a %s', async (_status, token, answer) => {
    standIns.answers.set(authorize.subject, new ActionError('action_platform_unavailable'));
    const connection = await open();
    call(connection, token(), MAX_PIPELINED);
    await closing(connection);
    expect(connection.received).toMatch(answer);
    expect(answersOn(connection)).toBe(1);
  });
});

test('unknown tokens and public pages are served within their rate limit, and known callers beyond it', async () => {
  held.release();
  expect((await get(harness.token)).status).toBe(200);
  const tokens = await Promise.all(
    Array.from({ length: 3 * UNAUTHENTICATED_PER_SECOND }, (_, index) =>
      harness.issuer.token({ workspaceId: 'ws_1', userId: `user-${index}` }),
    ),
  );
  const begun = performance.now();
  const answers = [];
  while (tokens.length > 0) {
    const together = tokens.splice(0, UNAUTHENTICATED_PER_SECOND);
    answers.push(...(await Promise.all(together.map((each) => get(each)))));
  }
  const allowed = Math.ceil((1 + (performance.now() - begun) / 1000) * UNAUTHENTICATED_PER_SECOND);
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(allowed);
  for (const answer of answers.filter(({ status }) => status === 503)) {
    expectError(answer, 'action_platform_unavailable');
    expect(answer.headers['retry-after']).toBe('1');
  }
  const pages = Array.from({ length: 3 * UNAUTHENTICATED_PER_SECOND }, () =>
    harness.http.get('/docs/errors').then(({ status }) => status),
  );
  expect(await Promise.all(pages)).toContain(503);
  expect((await get(harness.token)).status).toBe(200);
  expect((await harness.http.get('/livez')).status).toBe(200);
});

describe('secrets of the right form that grants does not know', () => {
  const forged = () => newGrantSecret('operation');
  const known = newGrantSecret('operation');
  let authorizing: PromiseWithResolvers<void> | undefined;
  afterEach(() => authorizing?.resolve());
  beforeEach(() => {
    authorizing = undefined;
    held.release();
    standIns.answers.set(authorize.subject, async ({ body }) => {
      const { credential } = JSON.parse(Buffer.from(body).toString());
      const isForged = credential.kind === 'grant' && credential.secretHash !== hashGrantSecret(known);
      if (!isForged) return json(anOwner());
      await authorizing?.promise;
      return new ActionError('invalid_token');
    });
  });
  const untilKnown = async () => {
    while ((await get(known)).status !== 200);
  };

  test('are unauthenticated: they reach grants within that rate, and known grants beyond it', async () => {
    await untilKnown();
    standIns.received.length = 0;
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 5 * UNAUTHENTICATED_PER_SECOND }, () => get(forged())),
    );
    const allowed = Math.ceil((1 + (performance.now() - begun) / 1000) * UNAUTHENTICATED_PER_SECOND);
    expect(standIns.asked(authorize.subject).length).toBeLessThanOrEqual(allowed);
    const refused = answers.filter(({ status }) => status === 503);
    for (const answer of refused) expectError(answer, 'action_platform_unavailable');
    for (let i = 0; i < 2 * UNAUTHENTICATED_PER_SECOND; i++) expect((await get(known)).status).toBe(200);
  });

  test('keep their connections among those of unauthenticated clients', async () => {
    await untilKnown();
    const own = await open();
    call(own, known);
    await own.receives(/HTTP\/1\.1 200 /);
    authorizing = Promise.withResolvers();
    const hostile: RawConnection[] = [];
    for (let i = 0; i < MAX_CONNECTIONS - 2; i++) {
      hostile.push(await open());
      call(hostile.at(-1)!, forged());
    }
    await until(() => hostile.filter(({ socket }) => !socket.closed).length <= MAX_UNAUTHENTICATED);
    expect(own.socket.closed).toBe(false);
  });
});
