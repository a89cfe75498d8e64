import { once } from 'node:events';
import { ActionError, authorize, getRecord, operationSubject } from '@action-platform/contracts';
import { anOwner } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expectError, GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';
import { json, StandIns } from './stand-ins.ts';

const MOST = 20;
const MOST_STRANGERS = 12;
const MOST_PIPELINED = 4;
const STRANGERS_PER_SECOND = 10;
const subject = operationSubject(getRecord);
const harness = new GatewayHarness();
const standIns = new StandIns();
let answering: PromiseWithResolvers<void>;
let token: string;
let connections: RawConnection[];

beforeAll(async () => {
  await harness.start({
    // Nothing is to be closed for being late, on whatever busy machine.
    REQUEST_DEADLINE_MS: '60000',
    GATEWAY_MAX_CONNECTIONS: String(MOST),
    GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS: String(MOST_STRANGERS),
    GATEWAY_MAX_PIPELINED: String(MOST_PIPELINED),
    GATEWAY_UNAUTHENTICATED_PER_SECOND: String(STRANGERS_PER_SECOND),
  });
  await standIns.start(harness.platform, [getRecord]);
  token = await harness.issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
});
afterAll(() => harness.stop());
beforeEach(() => {
  standIns.reset();
  connections = [];
  answering = Promise.withResolvers();
  standIns.answers.set(authorize.subject, json(anOwner()));
  standIns.answers.set(subject, async () => {
    await answering.promise;
    return json({ result: {} });
  });
});
afterEach(() => {
  answering.resolve();
  for (const { socket } of connections) socket.destroy();
});

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open(harness.url);
  connections.push(connection);
  return connection;
}

/** Sends whole calls on a connection, one behind the other. */
function call(connection: RawConnection, bearer = token, times = 1): void {
  const headers = {
    Authorization: `Bearer ${bearer}`,
    'Content-Type': 'application/json',
    'Content-Length': 2,
  };
  const { write } = connection;
  let text = '';
  connection.write = (part) => {
    text += part;
  };
  for (let i = 0; i < times; i++) {
    connection.request(`POST /api/v1/operations/${getRecord.id}`, headers, '{}');
  }
  connection.write = write;
  connection.write(text);
}

/** How many calls have come to the record store; a read that is not answered is asked again. */
const arrived = () => new Set(standIns.asked(subject).map(({ requestId }) => requestId)).size;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

const closing = ({ socket }: RawConnection) => (socket.closed ? undefined : once(socket, 'close'));
const answersOn = ({ received }: RawConnection) => received.match(/HTTP\/1\.1 /g)?.length ?? 0;

describe('whoever opens very many connections closes their own', () => {
  test('when nobody knows them', async () => {
    const used = await open();
    call(used);
    await until(() => arrived() === 1);

    const hostile: RawConnection[] = [];
    for (let i = 0; i < 3 * MOST; i++) {
      const connection = await open();
      // Half a head, and nothing more.
      connection.write('GET /livez HTTP/1.1\r\nHost: ');
      hostile.push(connection);
    }
    const isOpen = ({ socket }: RawConnection) => !socket.closed;
    // Which of them stay is not said: those that come by the server's own socket do not wait for the others (`listeners.ts`).
    await until(() => hostile.filter(isOpen).length <= MOST_STRANGERS);

    expect((await harness.http.get('/livez')).status).toBe(200);
    // Who asks that comes on a new connection, too, for which one more may have gone.
    expect(hostile.filter(isOpen).length).toBeGreaterThanOrEqual(MOST_STRANGERS - 1);
    answering.resolve();
    await used.receives(/HTTP\/1\.1 200 /);
  });

  test('when calls of theirs are under way on all of them', async () => {
    const other = await harness.issuer.token({ workspaceId: 'ws_2', userId: 'quinn' });
    const used = await open();
    call(used, other);
    await until(() => arrived() === 1);

    const greedy: RawConnection[] = [];
    for (let i = 0; i < 2 * MOST; i++) {
      const connection = await open();
      greedy.push(connection);
      call(connection);
      await until(() => arrived() === 2 + i);
    }
    await Promise.all(greedy.slice(0, MOST).map(closing));
    expect(greedy.at(-1)!.socket.closed).toBe(false);
    answering.resolve();
    await used.receives(/HTTP\/1\.1 200 /);
  });
});

describe('requests sent ahead on a connection', () => {
  test('are begun one after the other, and all are answered', async () => {
    const connection = await open();
    call(connection, token, MOST_PIPELINED);
    await until(() => arrived() === 1);
    expect((await harness.http.get('/livez')).status).toBe(200);
    expect(arrived()).toBe(1);
    answering.resolve();
    await until(() => answersOn(connection) === MOST_PIPELINED);
  });

  test('close it when they are too many, instead of filling the memory', async () => {
    const connection = await open();
    call(connection, token, MOST_PIPELINED + 2);
    await closing(connection);
    expect(arrived()).toBeLessThanOrEqual(1);
  });

  test('are not looked at when the first is turned away', async () => {
    standIns.answers.set(authorize.subject, new ActionError('action_platform_unavailable'));
    const connection = await open();
    call(connection, token, MOST_PIPELINED);
    await closing(connection);
    expect(connection.received).toMatch(/^HTTP\/1\.1 503 /);
    expect(answersOn(connection)).toBe(1);
  });

  test('are not looked at when their caller turns out to be nobody', async () => {
    const connection = await open();
    call(connection, 'made.up.token', MOST_PIPELINED);
    await closing(connection);
    expect(connection.received).toMatch(/^HTTP\/1\.1 401 .*Connection: close/s);
    expect(answersOn(connection)).toBe(1);
  });
});

test('callers who were never seen, and who read what anybody may, are served for a share of the time alone', async () => {
  answering.resolve();
  const known = await harness.execute(token, getRecord, {});
  expect(known.status).toBe(200);

  const tokens = await Promise.all(
    Array.from({ length: 3 * STRANGERS_PER_SECOND }, (_, index) =>
      harness.issuer.token({ workspaceId: 'ws_1', userId: `user-${index}` }),
    ),
  );
  const begun = performance.now();
  const answers = [];
  for (let i = 0; i < tokens.length; i += STRANGERS_PER_SECOND) {
    const together = tokens.slice(i, i + STRANGERS_PER_SECOND);
    answers.push(
      ...(await Promise.all(together.map((each) => harness.execute(each, getRecord, {}).then((it) => it)))),
    );
  }
  const allowed = Math.ceil((1 + (performance.now() - begun) / 1000) * STRANGERS_PER_SECOND);
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(allowed);
  for (const answer of answers.filter(({ status }) => status === 503)) {
    expectError(answer, 'action_platform_unavailable');
    expect(answer.headers['retry-after']).toBe('1');
  }
  const pages = Array.from({ length: 3 * STRANGERS_PER_SECOND }, () =>
    harness.http.get('/docs/errors').then(({ status }) => status),
  );
  expect(await Promise.all(pages)).toContain(503);
  expect((await harness.execute(token, getRecord, {})).status).toBe(200);
  expect((await harness.http.get('/livez')).status).toBe(200);
});
