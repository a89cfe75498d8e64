import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@action-platform/contracts/services';
import { EventReader, FailingMongod, lostResumeToken, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNoopMeter, metrics, type ObservableCallback } from '@opentelemetry/api';
import type { Collection, Db } from 'mongodb';
import type { Followed } from './followed.ts';
import { type Following, followTail } from './tail.ts';

let mongod: FailingMongod;
let platform: TestPlatform;
const running: Following[] = [];
let reader: EventReader;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  platform = new TestPlatform({ mongodbUrl: mongod.url });
});
afterAll(async () => {
  await Promise.all(running.map((following) => following.stop()));
  await platform.stop();
  await mongod.stop();
});

/** The commit of a thing whose changes cannot be read. */
const UNREADABLE = -1;

/** A thing with as many changes as `commits`; a replacement makes one, an update adds one to `marks`. */
interface Thing {
  _id: string;
  workspace_id: string;
  commit: number;
  at: Date;
  marks?: Record<string, Date>;
  content: string;
}

const things: Followed<Thing> = {
  collection: 'things',
  fields: ['workspace_id', 'commit', 'at', 'marks'],
  updates: true,
  changesOf: ({ _id: subject, workspace_id: workspaceId, commit, at, marks = {} }) => {
    if (commit === UNREADABLE) throw new TypeError('a defect');
    const change = { workspaceId, type: 'record.replaced', subject } as const;
    const data = { actor: {} };
    return [
      { ...change, distinct: commit, time: at, data: { ...data, sequence: commit } },
      ...Object.entries(marks).map(([name, time]) => ({
        ...{ ...change, distinct: name, time, data: { ...data, request_id: name } },
        field: `marks.${name}`,
      })),
    ];
  },
};

/** A service whose changes are followed, in a database of its own. */
class Followee {
  readonly service: ServiceName;
  readonly db: Db;
  readonly things: Collection<Thing>;
  readonly workspaceId = `ws_${randomUUID()}`;
  readonly errors: string[] = [];

  private constructor(service: ServiceName, db: Db) {
    this.service = service;
    this.db = db;
    this.things = db.collection('things');
  }

  static async open(service: ServiceName): Promise<Followee> {
    const { db } = await platform.database(service);
    return new Followee(service, db);
  }

  async follow(): Promise<Following> {
    const following = await followTail({
      service: this.service,
      db: this.db,
      bus: await platform.connect(this.service),
      log: { info: () => {}, warn: () => {}, error: (_fields, message) => this.errors.push(message) },
      followed: [things],
      workspaces: { collection: 'things', field: 'workspace_id' },
    });
    running.push(following);
    return following;
  }

  /** Writes the next state of a thing. */
  async commit(_id: string, commit: number, at = new Date()): Promise<void> {
    const thing = { workspace_id: this.workspaceId, commit, at, content: 'a secret' };
    await this.things.replaceOne({ _id }, thing, { upsert: true });
  }

  /** Sets the stored checkpoint to one that the oplog does not have. */
  async loseCheckpoint(): Promise<void> {
    const token = await lostResumeToken(this.db);
    await this.db.collection('tail').updateOne({}, { $set: { token } });
  }

  /** The sequences of a thing, in the order of the stream, repetitions included. */
  async sequencesOf(subject: string): Promise<number[]> {
    const events = await reader.read(this.workspaceId);
    return events.filter((event) => event.subject === subject).map(({ data }) => data.sequence!);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('without JetStream changes wait; then two replicas publish each once, in order, without content', async () => {
  const mail = await Followee.open('mail');
  const first = await mail.follow();
  await mail.follow();
  const ids = ['a', 'b', 'c'];
  const write = async (commit: number) => {
    for (const id of ids) await mail.commit(id, commit);
  };
  for (const commit of upTo(20)) await write(commit);
  reader = await EventReader.open(platform);
  for (const commit of upTo(20)) await write(20 + commit);
  expect(await reader.until(mail.workspaceId, 120)).toHaveLength(120);
  // The other replica goes on.
  await first.stop();
  await mail.db.collection('others').insertOne({});
  await mail.commit('d', 1);
  const update = (set: object) => mail.things.updateOne({ _id: 'd' }, { $set: set });
  await update({ 'marks.one': new Date() });
  await update({ 'marks.two': new Date(), content: 'another secret' });
  await update({ content: 'a third secret' });
  // A mark that is removed before the tail reads the document is published, too.
  await update({ 'marks.three': new Date() });
  await mail.things.updateOne({ _id: 'd' }, { $unset: { 'marks.three': '' } });
  await write(41);
  expect(await reader.until(mail.workspaceId, 127)).toHaveLength(127);
  const events = await reader.read(mail.workspaceId);
  expect(events.flatMap(({ data }) => data.request_id ?? [])).toEqual(['one', 'two', 'three']);
  for (const id of ids) expect(await mail.sequencesOf(id)).toEqual(upTo(41));
  expect(JSON.stringify(events)).not.toContain('secret');
  expect(events[0]).toMatchObject({ specversion: '1.0', source: `/workspaces/${mail.workspaceId}/mail` });
});

test('a replica that takes over repeats events, and neither skips nor inverts any', async () => {
  const grants = await Followee.open('grants');
  await grants.follow();
  await grants.follow();
  const takeOver = () =>
    grants.db.collection('tail').updateOne({}, { $set: { 'lease.until': new Date(0), 'lease.owner': '' } });
  for (const commit of upTo(300)) {
    await grants.commit('a', commit);
    if (commit % 100 === 0) await takeOver();
  }
  await reader.until(grants.workspaceId, 300);
  const sequences = await grants.sequencesOf('a');
  const firsts = sequences.filter((sequence, index) => sequences.indexOf(sequence) === index);
  expect(firsts).toEqual(upTo(300));
});

test('a lost checkpoint is a gap that every Workspace sees, and the documents show what changed since', async () => {
  const store = await Followee.open('record-store');
  const first = await store.follow();
  await store.commit('a', 1);
  await store.commit('b', 1);
  await reader.until(store.workspaceId, 2);
  await first.stop();
  for (const commit of [2, 3]) await store.commit('a', commit);
  await store.commit('c', 1);
  await store.loseCheckpoint();
  await store.follow();
  const events = await reader.until(store.workspaceId, 5);
  expect(events.slice(2).map(({ type, data }) => `${type} ${data.sequence}`)).toEqual([
    'feed.gap undefined',
    'record.replaced 3',
    'record.replaced 1',
  ]);
  expect(store.errors).toHaveLength(1);
  await store.commit('a', 4);
  expect((await reader.until(store.workspaceId, 6)).at(-1)!.data.sequence).toBe(4);
});

test('a history that is lost while a replica follows it is caught up from the last published change', async () => {
  const operations = await Followee.open('custom-operations');
  await operations.follow();
  const stored = await operations.db.collection('tail').findOne({});
  // The clocks of replicas may differ by this minute.
  await operations.commit('a', 1, new Date(stored!.last_published_at.getTime() - 60_000));
  await reader.until(operations.workspaceId, 1);
  await operations.commit('b', 1);
  await reader.until(operations.workspaceId, 2);
  const namespace = `${operations.db.databaseName}.$cmd.aggregate`;
  await mongod.whileFailing({ command: 'getMore', namespace, failure: { errorCode: 286 } }, () =>
    reader.until(operations.workspaceId, 3),
  );
  await operations.commit('b', 2);
  await reader.until(operations.workspaceId, 4);
  expect(await operations.sequencesOf('a')).toEqual([1]);
});

test('a catch-up may read documents for longer than the lease', async () => {
  const events = await Followee.open('events');
  const first = await events.follow();
  await events.commit('a', 1);
  await reader.until(events.workspaceId, 1);
  await first.stop();
  await events.commit('a', 2);
  await events.loseCheckpoint();
  const namespace = `${events.db.databaseName}.things`;
  const failure = { blockConnection: true, blockTimeMS: 7_000 } as const;
  await mongod.whileFailing({ command: 'find', namespace, failure }, async () => {
    await events.follow();
    await events.follow();
    await reader.until(events.workspaceId, 3);
  });
  expect(events.errors).toHaveLength(1);
});

test('a document that cannot become an event is a gap of its Workspace, and delays no other', async () => {
  const procedures = await Followee.open('procedures');
  await procedures.follow();
  await procedures.commit('unreadable', UNREADABLE);
  const { workspaceId: workspace_id } = procedures;
  const thing = { workspace_id, commit: 1, at: new Date(), content: '' };
  const poisoned = {
    'without a time': { ...thing, at: 'yesterday' as never },
    'of no Workspace': { ...thing, workspace_id: { a: 1 } as never },
    'of two tokens': { ...thing, workspace_id: 'a.b c' },
    ['x'.repeat(70_000)]: thing,
  };
  for (const [_id, document] of Object.entries(poisoned))
    await procedures.things.insertOne({ _id, ...document });
  await procedures.commit('b', 1);
  const events = await reader.until(procedures.workspaceId, 4);
  expect(events.map(({ type, subject }) => `${type} ${subject}`)).toEqual([
    ...Array(3).fill('feed.gap procedures'),
    'record.replaced b',
  ]);
  expect(procedures.errors).toEqual(Array(5).fill('a change cannot be read: its event is missing'));

  await Promise.all(running.splice(0).map((following) => following.stop()));
  await procedures.commit('b', 2);
  await procedures.loseCheckpoint();
  await procedures.follow();
  const later = await reader.until(procedures.workspaceId, 6);
  expect(later.slice(4).map(({ type, data }) => `${type} ${data.sequence}`)).toEqual([
    'feed.gap undefined',
    'record.replaced 2',
  ]);
});

/** Reads the lag of the tail that `work` makes, as a collection of the metrics does. */
async function lagOf(work: () => Promise<unknown>): Promise<() => number> {
  let read: ObservableCallback | undefined;
  const createObservableGauge = (name: string) => ({
    addCallback: (callback: ObservableCallback) => {
      if (name === 'changes.tail.lag') read = callback;
    },
    removeCallback: () => {},
  });
  const meter = Object.assign(createNoopMeter(), { createObservableGauge });
  metrics.setGlobalMeterProvider({ getMeter: () => meter });
  await work().finally(() => metrics.disable());
  return () => {
    let lag = 0;
    read!({ observe: (value) => (lag = value) });
    return lag;
  };
}

test('the lag grows while a replica waits for the oplog or catches up, and ends at the first answer', async () => {
  await Promise.all(running.splice(0).map((following) => following.stop()));
  const mail = await Followee.open('mail');
  const { databaseName } = mail.db;
  const blocked = { blockConnection: true, blockTimeMS: 2_000 } as const;
  const whileBlocked = (command: string, namespace: string, work: () => Promise<unknown>) =>
    mongod.whileFailing({ command, namespace: `${databaseName}.${namespace}`, failure: blocked }, work);
  const follow = () => lagOf(() => mail.follow());
  const grows = async (lag: () => number) => {
    let read = 0;
    for (let looks = 0; looks < 50 && read === 0; looks++) {
      await delay(20);
      read = lag();
    }
    expect(read).toBeGreaterThan(0);
  };
  const ends = async (lag: () => number) => {
    while (lag() > 0) await delay(20);
  };
  let lag = await follow();
  await whileBlocked('getMore', '$cmd.aggregate', () => grows(lag));
  await ends(lag);
  await whileBlocked('getMore', '$cmd.aggregate', () => grows(lag));
  await ends(lag);
  await running.at(-1)!.stop();
  await mail.commit('a', 1);
  await mail.loseCheckpoint();
  await whileBlocked('find', 'things', async () => {
    lag = await follow();
    while (mail.errors.length === 0) await delay(20);
    await grows(lag);
  });
  await ends(lag);
  await reader.until(mail.workspaceId, 2);
});
