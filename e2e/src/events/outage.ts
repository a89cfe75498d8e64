/**
 * Turns JetStream off under writes of every kind, and compares the feed with the stored documents: `npm run e2e -- outage --help`.
 * docs/events.md has the promises.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { paths } from '@action-platform/deployment';
import { localDirectory } from '@action-platform/local';
import { withoutJetStream } from '@action-platform/testing';
import { MongoClient, type Timestamp } from 'mongodb';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { StackProcess } from '../stack-process.ts';
import { committedChanges } from './committed-changes.ts';
import { FeedReader } from './feed-reader.ts';
import { feedViolations, violationsAfterGap } from './violations.ts';
import { Writers } from './writers.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    'roll-over': { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- outage [options]

  --seconds 300   how long JetStream is off
  --roll-over     fills the oplog meanwhile, until it begins after the failure
  --seed N        of the writes`);
  process.exit();
}

const WARM_UP_MS = 15_000;
/** Mostly pushes, which are the fastest writes. */
const PUSHES = 1_000;
/** The throughput with JetStream is measured for so long. */
const BEFORE_MS = 60_000;
/** Without news for so long, the readers have everything. */
const QUIET_MS = 20_000;
/** The least size of an oplog that mongod accepts. */
const OPLOG_MB = 990;
/** One document of the load that fills the oplog. */
const FILL_MB = 8;
const POLL_MS = 100;
const SHOWN = 50;

const stack = new StackProcess();
const { keys } = localDirectory({ LOCAL_DIR: stack.directory });
await endWith(stack, async () => {
  say(`Starting; seed ${options.seed} …`);
  const demo = await stack.start();
  const operator = await Operator.of(stack);
  const mongo = await new MongoClient(stack.databaseUrl('admin')).connect();
  const readers = (['pages', 'stream'] as const).map((how) => new FeedReader(demo, how, 1));
  const writers = new Writers({ demo, operator, seed: Number(options.seed), pushes: PUSHES });
  const writing = writers.run();
  const rateDuring = async (work: Promise<unknown>) => {
    const [before, begunAt] = [writers.acknowledged, performance.now()];
    await work;
    return ((writers.acknowledged - before) / (performance.now() - begunAt)) * 1000;
  };

  await delay(WARM_UP_MS);
  for (const { delaysMs } of readers) delaysMs.length = 0;
  const withIt = await rateDuring(delay(BEFORE_MS));
  for (const { name, delaysMs } of readers)
    say(`${name}  an event arrives within ${p95Of(delaysMs)} ms (p95)`);
  say('Turning JetStream off …');
  const turnOn = turnJetStreamOff();
  const without = await rateDuring(delay(Number(options.seconds) * 1000));
  say(
    `writes/s  ${withIt.toFixed()} with JetStream, ${without.toFixed()} without (${(without / withIt).toFixed(2)})`,
  );
  if (options['roll-over']) await rollOplogOver(mongo);
  say('Turning JetStream on …');
  turnOn();
  writers.stop();
  await writing;
  const endedAt = performance.now();
  const lastAt = await untilQuiet(readers);
  await Promise.all([...readers.map((reader) => reader.stop()), operator.close(), mongo.close()]);

  const changes = await committedChanges(stack);
  const seconds = Math.max(0, lastAt - endedAt) / 1000;
  say(`${changes.length} commits; the last event arrived ${seconds.toFixed(1)} s after the last write`);
  for (const { name, events, breaks } of readers) say(`${name}  ${events.length} events, ${breaks} breaks`);
  const violations = (options['roll-over'] ? violationsAfterGap : feedViolations)(changes, readers);
  for (const violation of violations.slice(0, SHOWN)) say(`VIOLATION: ${violation}`);
  say(`${violations.length} violations`);
  return violations.length === 0;
});

function p95Of(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
}

/** Makes nats-server reload a configuration without JetStream; the returned function undoes that. */
function turnJetStreamOff(): () => void {
  const file = join(keys, paths.natsServerConfig);
  const config = readFileSync(file, 'utf8');
  const reload = (text: string) => {
    writeFileSync(file, text);
    for (const pid of stack.pids('nats-server')) process.kill(pid, 'SIGHUP');
  };
  reload(withoutJetStream(config));
  return () => reload(config);
}

/** Resolves when the oldest entry of the oplog is younger than this call. */
async function rollOplogOver(mongo: MongoClient): Promise<void> {
  await mongo.db('admin').command({ replSetResizeOplog: 1, size: OPLOG_MB });
  const oplog = mongo.db('local').collection('oplog.rs');
  const { operationTime: now } = (await mongo.db('admin').command({ ping: 1 })) as {
    operationTime: Timestamp;
  };
  const filler = mongo.db('filler');
  while ((await oplog.find().sort({ $natural: 1 }).limit(1).next())!.ts.lessThan(now))
    await filler.collection('filler').insertOne({ text: 'x'.repeat(FILL_MB * 2 ** 20) });
  await filler.dropDatabase();
}

/** Resolves when no reader had an event for a while, with the time of the last one. */
async function untilQuiet(readers: readonly FeedReader[]): Promise<number> {
  const count = () => readers.reduce((sum, { events }) => sum + events.length, 0);
  let [known, lastAt] = [count(), performance.now()];
  while (performance.now() - lastAt < QUIET_MS) {
    await delay(POLL_MS);
    if (count() !== known) [known, lastAt] = [count(), performance.now()];
  }
  return lastAt;
}
