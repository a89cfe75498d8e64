import { replicaEvent } from '@action-platform/contracts/bus';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { BusAnswer, BusRequest } from './answer.ts';
import type { Bus } from './bus.ts';
import { batchHeaders, toMessageHeaders } from './nats/headers.ts';
import { ok, subject, TestConnections, text, until } from './test-support/test-connections.ts';
import { decodeBatch, encodeBatch, MAX_BATCH_ITEMS, toBatchItem } from './wire/batch.ts';
import type { Incoming } from './wire/incoming.ts';

/** Longer than a test: a request never ends by its timeout. */
const NO_TIMEOUT = { timeoutMs: 600_000 };
const READ = { ...NO_TIMEOUT, effect: 'read' } as const;

const buses = new TestConnections();
let gateway: Bus;
/** Receives every message that is sent to the service, with the service's rights. */
let raw: NatsConnection;
let messages: Msg[];
beforeEach(async () => {
  gateway = await buses.connect('gateway');
  raw = await buses.connectRaw('record-store');
  messages = [];
  raw.subscribe(subject, { callback: (_, message) => void messages.push(message) });
  await raw.flush();
});
afterEach(() => {
  expect(buses.warnings.splice(0).filter((warning) => warning.includes('Permissions'))).toEqual([]);
});

/** Starts a replica, and resolves when the gateway knows of it. */
async function replica(answer: (request: BusRequest) => Promise<BusAnswer>): Promise<void> {
  await buses.replica(answer);
  await gateway.flush();
}

/** A replica that answers each request when the test says so. */
async function patientReplica() {
  const release = new Map<string, (answer: BusAnswer) => void>();
  await replica(async ({ body }) => {
    const { promise, resolve } = Promise.withResolvers<BusAnswer>();
    release.set(text(body), resolve);
    return await promise;
  });
  const answer = (name: string, given = ok(`answer to ${name}`)) => release.get(name)!(given);
  return { answer, has: () => [...release.keys()] };
}

const ask = (names: readonly string[], options: typeof NO_TIMEOUT | typeof READ = NO_TIMEOUT) =>
  names.map((name) => gateway.request(subject, name, { ...options, headers: { name } }));

const said = async (answer: Promise<{ body: Uint8Array }>) => text((await answer).body);

describe('requests of one tick', () => {
  test('travel in one message, each with its own headers; a single request travels alone', async () => {
    await replica(async (request) => {
      const name = request.header('name');
      return {
        status: name === ' second' ? 400 : 200,
        headers: { 'retry-after': `"${name}"` },
        body: request.body,
      };
    });
    const names = ['first', ' second', 'third\nwith "lines"', '🙂'];
    const answers = await Promise.all(ask(names));
    expect(answers.map(({ body }) => text(body))).toEqual(names);
    expect(answers.map((answer) => answer.header('retry-after'))).toEqual(names.map((name) => `"${name}"`));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200, 200]);
    await raw.flush();
    expect(messages.map((message) => message.headers!.has('batch'))).toEqual([true]);
    await Promise.all(ask(['alone']));
    await raw.flush();
    expect(messages[1]!.headers!.get('name')).toBe('alone');
  });

  test('are divided by number and size', async () => {
    await replica(async ({ body }) => ok(String(body.length)));
    const large = 'x'.repeat(100_000);
    const names = [large, ...Array.from({ length: MAX_BATCH_ITEMS + 1 }, (_, index) => `${index}`)];
    const answers = names.map((name) => gateway.request(subject, name, NO_TIMEOUT));
    expect(await Promise.all(answers.map(said))).toEqual(names.map(({ length }) => `${length}`));
    await raw.flush();
    expect(messages.map((message) => namesIn(message)?.length)).toEqual([
      undefined,
      MAX_BATCH_ITEMS,
      undefined,
    ]);
  });

  test('are answered without waiting for each other', async () => {
    const { answer, has } = await patientReplica();
    const names = Array.from({ length: MAX_BATCH_ITEMS }, (_, index) => `request ${index}`);
    const answers = ask(names);
    await until(() => has().length === names.length);
    for (const name of names.toReversed()) {
      answer(name);
      expect(await said(answers[names.indexOf(name)]!)).toBe(`answer to ${name}`);
    }
  });

  test('may have long answers, which are streamed', async () => {
    const long = 'long'.repeat(200_000);
    await replica(async ({ body }) => ok(text(body) === 'short' ? 'short' : long));
    for (const answer of ask(['one', 'short', 'other'])) {
      const { body, more } = await answer;
      const chunks = [body];
      for await (const chunk of more ?? []) chunks.push(chunk);
      expect(['short', long]).toContain(Buffer.concat(chunks).toString());
    }
  });

  test('fail one by one', async () => {
    await replica(async ({ body }) => {
      if (text(body) === 'bad') throw new Error('nothing good');
      return ok('good');
    });
    const [bad, good] = ask(['bad', 'good']);
    await expect(bad).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    expect(await said(good!)).toBe('good');
  });

  test('that are cancelled in that tick are not sent', async () => {
    const { answer, has } = await patientReplica();
    const caller = new AbortController();
    const left = gateway.request(subject, 'left', { ...READ, signal: caller.signal });
    const [stays] = ask(['stays']);
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    await until(() => has().length > 0);
    answer('stays');
    expect(await said(stays!)).toBe('answer to stays');
    expect(has()).toEqual(['stays']);
  });

  test('are cancelled one by one', async () => {
    const cancelled: string[] = [];
    await replica(async (request) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      request.signal.addEventListener('abort', () => {
        cancelled.push(text(request.body));
        resolve();
      });
      if (text(request.body) === 'stays') return ok('stays');
      await promise;
      return ok('left');
    });
    const caller = new AbortController();
    const left = gateway.request(subject, 'left', { ...NO_TIMEOUT, signal: caller.signal });
    const failed = expect(left).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    const [stays] = ask(['stays']);
    expect(await said(stays!)).toBe('stays');
    caller.abort();
    await failed;
    await until(() => cancelled.length > 0);
    expect(cancelled).toEqual(['left']);
  });
});

describe('a replica that does not take batches', () => {
  /** A replica of another version, which answers every message as one request. */
  const serveAsBefore = async () => {
    raw.subscribe(subject, {
      queue: 'record-store',
      callback: (_, message) => {
        const isRead = !message.headers!.has('batch');
        const headers = toMessageHeaders({ status: isRead ? '200' : '400' });
        message.respond(isRead ? message.data : 'what is this?', { headers });
      },
    });
    await raw.flush();
  };

  test('has the reads in it sent again, and leaves the outcome of the writes unknown', async () => {
    await serveAsBefore();
    expect(await Promise.all(ask(['one', 'other'], READ).map(said))).toEqual(['one', 'other']);
    for (const write of ask(['one', 'other']))
      await expect(write).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
  });
});

test('a few requests do not wait for each other, however many replicas the gateway knows', async () => {
  for (let id = 0; id < 40; id++)
    raw.publish(
      replicaEvent('record-store').subject,
      JSON.stringify({ replica: `replica${id}`, host: 'a', pid: 1 }),
    );
  await raw.flush();
  await gateway.flush();
  const one = ask(['one'], READ);
  await new Promise(setImmediate);
  const other = ask(['other'], READ);
  await until(() => messages.length > 0);
  expect(messages[0]!.headers!.has('batch')).toBe(false);
  await gateway.drain();
  await Promise.allSettled([...one, ...other]);
});

describe('a forged message is ignored', () => {
  test('that answers a request which was not in the batch', async () => {
    const { answer, has } = await patientReplica();
    const [mine] = ask(['mine']);
    await until(() => has().length === 1);
    const others = ask(['one', 'other']);
    await until(() => has().length === 3);
    await raw.flush();
    const [alone, together] = messages as [Msg, Msg];
    const forged = [alone.reply!, `${alone.reply!}.1`].map((reply) =>
      toBatchItem(reply, { status: '200' }, 'forged'),
    );
    together.respond(encodeBatch(forged), { headers: batchHeaders });
    await raw.flush();
    for (const name of has()) answer(name);
    expect(await said(mine!)).toBe('answer to mine');
    expect(await Promise.all(others.map(said))).toEqual(['answer to one', 'answer to other']);
  });

  test('that names the reply subject of another connection', async () => {
    const seen: string[] = [];
    await replica(async ({ body }) => {
      seen.push(text(body));
      return ok('');
    });
    const asker = await buses.connectRaw('gateway');
    const inbox = '_INBOX_gateway.asker.1';
    const answers: Msg[] = [];
    asker.subscribe('_INBOX_gateway.asker.>', { callback: (_, message) => void answers.push(message) });
    const wanted = {
      mine: inbox,
      another: '_INBOX_gateway.another.1',
      none: 'admin.grants.x',
      more: `${inbox}.1.1`,
    };
    const batch = Object.entries(wanted).map(([name, reply]) => toBatchItem(reply, {}, name));
    asker.publish(subject, encodeBatch(batch), { reply: `${inbox}.7`, headers: batchHeaders });
    await until(() => answers.length > 0);
    expect(answers.flatMap((message) => namesIn(message))).toEqual([inbox]);
    expect(seen).toEqual(['mine']);
    asker.publish(subject, 'no batch', { reply: `${inbox}.8`, headers: batchHeaders });
    await until(() => answers.length > 1);
    expect(answers[1]!.data).toHaveLength(0);
  });
});

function namesIn(message: Msg): string[] | undefined {
  return decodeBatch(message as unknown as Incoming)?.map((each) => each.subject);
}
