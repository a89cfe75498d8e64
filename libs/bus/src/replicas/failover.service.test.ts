import {
  inboxPrefix,
  type ReplicaAnnouncement,
  replicaEvent,
  replicaSubject,
} from '@action-platform/contracts/bus';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BusAnswer, BusRequest } from '../answer.ts';
import type { Bus } from '../bus.ts';
import type { BreakableLine } from '../test-support/breakable-line.ts';
import {
  ok,
  requestOneByOne,
  subject,
  TestConnections,
  text,
  until,
} from '../test-support/test-connections.ts';

/** Longer than a test: a request never ends by its timeout. */
const NO_TIMEOUT = { timeoutMs: 600_000 };
const READ = { ...NO_TIMEOUT, effect: 'read' } as const;
const buses = new TestConnections();
let gateway: Bus;

/** A replica that takes requests and answers them when the test says so, until it is killed. */
class Replica {
  readonly taken: string[] = [];
  readonly released = Promise.withResolvers<void>();
  #line: BreakableLine | undefined;
  bus!: Bus;

  static async start(answer?: () => BusAnswer): Promise<Replica> {
    const replica = new Replica();
    replica.#line = await buses.breakableLine();
    const take = async ({ body }: BusRequest) => {
      replica.taken.push(text(body));
      if (answer !== undefined) return answer();
      await replica.released.promise;
      return ok(text(body));
    };
    replica.bus = await buses.replica(take, { url: replica.#line.url });
    return replica;
  }

  /** Its connection ends, as that of a process does that is killed. */
  async kill(): Promise<void> {
    await this.#line!.close();
    this.released.resolve();
  }

  /** Answers its requests and leaves, as a process does after SIGTERM. */
  async leave(): Promise<void> {
    this.released.resolve();
    await this.bus.drain();
  }
}

/** Sends enough requests for each replica to receive some. */
const ask = (name: string, options: typeof NO_TIMEOUT | typeof READ) =>
  requestOneByOne(
    gateway,
    Array.from({ length: 20 }, (_, index) => `${name}-${index}`),
    options,
  );

beforeAll(async () => {
  gateway = await buses.connect('gateway', { hedgeAfterMs: 600_000 });
});

describe('when a replica dies', () => {
  test('each write that it took fails at once with an unknown outcome; the others are answered', async () => {
    const [one, other] = [await Replica.start(), await Replica.start()];
    const writes = ask('write', NO_TIMEOUT);
    const settled = Promise.allSettled(writes);
    await until(() => one.taken.length + other.taken.length >= writes.length);
    expect(one.taken.length).toBeGreaterThan(0);
    await one.kill();
    const lost = one.taken.map((name) => writes[Number(name.split('-')[1])]!);
    for (const write of lost)
      await expect(write).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    other.released.resolve();
    const answered = (await settled).filter(({ status }) => status === 'fulfilled');
    expect(answered).toHaveLength(other.taken.length);
  });

  test('each request of a batch that it took is lost', async () => {
    const one = await Replica.start();
    await gateway.flush();
    const reads = ['a', 'b', 'c'].map((name) => gateway.request(subject, name, READ));
    const write = expect(gateway.request(subject, 'd', NO_TIMEOUT)).rejects.toMatchObject({
      code: 'action_infrastructure_failure',
    });
    await until(() => one.taken.length >= 4);
    const other = await Replica.start(() => ok('here'));
    await one.kill();
    for (const reply of await Promise.all(reads)) expect(text(reply.body)).toBe('here');
    await write;
    expect(new Set(other.taken)).toEqual(new Set(['a', 'b', 'c']));
  });

  test('and was the last, a read fails: nothing was done', async () => {
    const one = await Replica.start();
    const read = gateway.request(subject, '', READ);
    const refused = expect(read).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    await until(() => one.taken.length > 0);
    await one.kill();
    await refused;
  });

  test('a long answer that its receiver waits for breaks off', async () => {
    const { one, rest } = await longAnswer();
    const broken = expect(rest).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    await one.kill();
    await broken;
  });
});

/** A replica that is giving a long answer, and what comes next of it. */
async function longAnswer(): Promise<{ one: Replica; rest: Promise<unknown> }> {
  async function* stalling() {
    // The sender keeps the last chunk until it has another or the end.
    for (let chunk = 0; chunk < 3; chunk++) yield new Uint8Array(10);
    await one.released.promise;
  }
  const one: Replica = await Replica.start(() => ({ status: 200, body: stalling() }));
  const { more } = await gateway.request(subject, '', READ);
  expect((await more!.next()).done).toBe(false);
  return { one, rest: more!.next() };
}

test('when a replica reconnects, the long answer that it was sending breaks off', async () => {
  const { one, rest } = await longAnswer();
  const broken = expect(rest).rejects.toMatchObject({ code: 'action_platform_unavailable' });
  const another = await buses.connectRaw('record-store');
  another.publish(
    replicaEvent('record-store').subject,
    JSON.stringify({ replica: one.bus.replica, returns: true }),
  );
  await broken;
  one.released.resolve();
});

describe('the bus sends a read again that was lost on its way to a replica', () => {
  test('when the replica reconnects', () =>
    loseSome(({ bus }) => JSON.stringify({ replica: bus.replica, returns: true })));
  test('when the answer is late, and no replica has the request', () => loseSome(() => undefined));
});

/** Loses requests, and then publishes this announcement of the live replica. */
async function loseSome(word: (replica: Replica) => string | undefined): Promise<void> {
  const replica = await Replica.start(() => ok('here'));
  await gateway.request(subject, '', NO_TIMEOUT);
  // `loser` is in the queue group like a replica, and has no subject of its own: the requests it takes are lost.
  const lost: string[] = [];
  const loser = await buses.hangingReplica((message) => void lost.push(message.string()));
  const [reads, writes] = [ask('read', READ), ask('write', NO_TIMEOUT)];
  const outcomes = Promise.allSettled(writes);
  await gateway.flush();
  await loser.flush();
  await loser.close();
  expect(new Set(lost.map((name) => name.split('-')[0]))).toEqual(new Set(['read', 'write']));
  const said = word(replica);
  const another = await buses.connectRaw('record-store');
  if (said !== undefined) another.publish(replicaEvent('record-store').subject, said);
  for (const reply of await Promise.all(reads)) expect(text(reply.body)).toBe('here');
  const unknown = lost.filter((name) => name.startsWith('write'));
  const failed = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(failed).toHaveLength(unknown.length);
}

test('when a replica leaves, the others finish their requests, also their first ones', async () => {
  const leaving = await Replica.start(() => ok('soon'));
  await gateway.request(subject, '', NO_TIMEOUT);
  const staying = await Replica.start();
  const asked = ask('slow', NO_TIMEOUT);
  await until(() => leaving.taken.length + staying.taken.length > asked.length);
  await leaving.leave();
  const dying = await Replica.start(() => ok('soon'));
  await dying.kill();
  // Until the gateway has detected its death and has reconciled with the others.
  await new Promise((resolve) => setTimeout(resolve, 400));
  staying.released.resolve();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
});

test('an answer that is not there yet goes to the reply subject of its redelivery, once', async () => {
  const working = await Replica.start();
  const caller = await buses.connectRaw('gateway');
  const inbox = `${inboxPrefix('gateway')}.caller`;
  const answers: string[] = [];
  caller.subscribe(`${inbox}.*`, {
    callback: (_error, message) => void answers.push(`${message.subject}: ${message.string()}`),
  });
  caller.publish(subject, 'done', { reply: `${inbox}.0` });
  const redelivery = JSON.stringify({ redeliver: `${inbox}.0` });
  caller.publish(replicaSubject('record-store', working.bus.replica), redelivery, { reply: `${inbox}.1` });
  await caller.flush();
  await working.bus.flush();
  working.released.resolve();
  await until(() => answers.length > 0);
  await working.bus.flush();
  await caller.flush();
  expect(answers).toEqual([`${inbox}.1: done`]);
});

test('a replica that has left repeats that it leaves when its connection returns before its process ends', async () => {
  const line = await buses.breakableLine();
  const leaving = await buses.replica(async () => ok(''), { url: line.url });
  const announced: unknown[] = [];
  const another = await buses.connectRaw('gateway');
  another.subscribe(replicaEvent('record-store').subject, {
    callback: (_error, message) => {
      const { replica, leaves = false, returns = false } = message.json<ReplicaAnnouncement>();
      if (replica === leaving.replica) announced.push({ leaves, returns });
    },
  });
  await another.flush();
  await leaving.drain(async () => {
    await until(() => announced.length === 1);
    line.breakAll();
    await until(() => announced.length === 2);
  });
  expect(announced).toEqual([
    { leaves: true, returns: false },
    { leaves: true, returns: true },
  ]);
});
