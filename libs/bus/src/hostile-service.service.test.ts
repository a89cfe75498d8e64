import { busHeaders, inboxPrefix } from '@action-platform/contracts/bus';
import { knownMembers } from '@action-platform/contracts/calls';
import { type ReceivedMessage, Rogue } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Bus } from './bus.ts';
import { ok, subject, TestConnections, text } from './test-support/test-connections.ts';

const { status, more, chunk } = busHeaders;
/** How many further reply subjects a rogue guesses. */
const GUESSES = 40;

const buses = new TestConnections();
let gateway: Bus;
let grants: Bus;
/** Has the key of record-store. The NATS client would refuse to send some of its messages. */
let rogue: Rogue;
let answer: (request: ReceivedMessage) => void;

beforeAll(async () => {
  [gateway, grants] = [await buses.connect('gateway'), await buses.connect('grants')];
  grants.serve(knownMembers.subject, 'grants', async () => ok('served'));
  rogue = await Rogue.connect(buses.url, buses.seedOf('record-store'));
  await rogue.subscribe(subject, (request) => answer(request), 'record-store');
  await grants.flush();
});
afterAll(() => rogue.close());
beforeEach(() => {
  rogue.refusals.length = 0;
});

const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const ask = () => gateway.request(subject, '{}', { timeoutMs: 30_000 });
const failed = { code: 'action_infrastructure_failure' };
const good = lines({ [status]: '200' });
const emptyHeaders = Array.from({ length: 200_000 }, (_, index) => `h${index}:\r\n`).join('');

describe('an answer fails its own request alone', () => {
  test.each([
    ['without headers', undefined],
    ...['', '99', '204', '600', '200abc', '2e2', '0xc8'].map(
      (value) => [`with the status "${value}"`, lines({ [status]: value })] as const,
    ),
    ['that is long with a status that has no body', lines({ [status]: '204', [more]: 'true' })],
    ['with a header without a name', `${good}: x\r\n x: y\r\n`],
    ['with a header whose name cannot be one', `${good}a b\u0000: x\r\n`],
    ['with 200,000 headers', good + emptyHeaders],
    ['with a header of 2 MiB', good + lines({ x: 'x'.repeat(2 ** 21) })],
  ])('%s', async (_what, headers) => {
    const malformed = headers === undefined ? {} : { headers };
    answer = ({ reply }) => rogue.publish(reply, { ...malformed, body: '{}' });
    await expect(ask()).rejects.toMatchObject(failed);
    answer = ({ reply }) => rogue.publish(reply, { headers: good, body: 'well' });
    expect(text((await ask()).body)).toBe('well');
  });
});

test('an answer that arrives again and again counts once', async () => {
  answer = ({ reply }) => {
    for (let time = 0; time < 2_000; time++) rogue.publish(reply, { headers: good, body: 'well' });
  };
  expect(text((await ask()).body)).toBe('well');
  expect(text((await ask()).body)).toBe('well');
});

let opened = 0;
/** How a rogue continues a long answer: its reply to the credit of this number, the first being 1. */
type GoOn = (send: (position: string, isLast?: boolean, body?: string) => void, n: number) => void;

/** Begins a long answer, whose further chunks `goOn` sends. */
async function answerAtLength(goOn: GoOn): Promise<AsyncGenerator<Uint8Array>> {
  const inbox = `${inboxPrefix('record-store')}.${'R'.repeat(22)}.${opened++}`;
  let credits = 0;
  const hear = ({ reply }: ReceivedMessage) => {
    // A cancellation has no answer.
    if (reply === '') return;
    const n = ++credits;
    const send = (position: string, isLast = false, body = '1') =>
      rogue.publish(reply, {
        reply: `${inbox}.${n}`,
        headers: lines({ [chunk]: position, ...(isLast ? {} : { [more]: 'true' }) }),
        body,
      });
    goOn(send, n);
  };
  await rogue.subscribe(`${inbox}.>`, hear);
  await rogue.subscribe(inbox, hear);
  const first = { [status]: '200', [chunk]: '0', [more]: 'true' };
  answer = ({ reply }) => rogue.publish(reply, { reply: inbox, headers: lines(first), body: '0' });
  return (await ask()).more!;
}

describe('a long answer', () => {
  test.each<[what: string, goOn: GoOn]>([
    ['leaves a chunk out', (send, n) => send(String(n === 1 ? 1 : n + 1), n === 4)],
    ['comes in another order', (send, n) => send(String(5 - n), n === 4)],
    ['repeats a chunk', (send, n) => send(String(Math.max(1, n - 1)))],
    ['has chunks without a position', (send) => send('')],
    ['counts to 1e999', (send) => send('1e999')],
    ['counts in words', (send) => send('one')],
    [
      'sends more than the credits permit',
      (send, n) => {
        for (let again = 0; again < 3; again++) send(String(n + again), false, 'x'.repeat(1_000_000));
      },
    ],
  ])('breaks off when it %s', async (_what, goOn) => {
    await expect(Array.fromAsync(await answerAtLength(goOn))).rejects.toMatchObject(failed);
  });

  test('ends at its end, whatever follows', async () => {
    const laterChunks = await answerAtLength((send, n) => {
      send(String(n), n === 2);
      if (n === 2) for (let past = 3; past < 6; past++) send(String(past), true, 'x');
    });
    expect(text(Buffer.concat(await Array.fromAsync(laterChunks)))).toBe('11');
  });
});

test('a service cannot answer the requests to others, whose reply subjects it guesses', async () => {
  let seen = '';
  answer = ({ reply }) => {
    seen = reply;
    rogue.publish(reply, { headers: good });
  };
  await ask();
  const counter = seen.lastIndexOf('.') + 1;
  const last = Number.parseInt(seen.slice(counter), 36);
  const guessed = Array.from(
    { length: GUESSES },
    (_, ahead) => seen.slice(0, counter) + (last + ahead + 1).toString(36),
  );
  for (const reply of guessed) rogue.publish(reply, { headers: good, body: 'forged' });
  await rogue.flush();
  const refused = guessed.map((reply) => `-ERR 'Permissions Violation for Publish to "${reply}"'`);
  expect(rogue.refusals).toEqual(refused);
});

test.each([
  ['a header that cannot be one', { headers: 'a b\u0000: x\r\n' }],
  ['200,000 headers', { headers: emptyHeaders }],
  ['an infinite timeout', { headers: lines({ [busHeaders.timeoutMs]: '1e999' }) }],
  ['2 MiB', { body: 'x'.repeat(2 ** 21) }],
  ['no subject for its answer', { reply: '' }],
])('a request with %s delays no other', async (_what, request) => {
  const reply = `${inboxPrefix('record-store')}.R.0`;
  for (let time = 0; time < 5; time++) rogue.publish(knownMembers.subject, { reply, ...request });
  await rogue.flush();
  const asker = await buses.connect('audit');
  expect(text((await asker.request(knownMembers.subject, '', { timeoutMs: 30_000 })).body)).toBe('served');
});
