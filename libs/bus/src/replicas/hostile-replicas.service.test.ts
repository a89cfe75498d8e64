import { busHeaders, replicaEvent, replicaSubject } from '@action-platform/contracts/bus';
import { grantedData } from '@action-platform/contracts/calls';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { headers } from '@nats-io/transport-node';
import type { Bus } from '../bus.ts';
import { ok, requestOneByOne, subject, TestConnections, text } from '../test-support/test-connections.ts';

/** How many requests a hostile service leaves unanswered. */
const OPEN = 60;
/** How long each attack takes, in milliseconds, and how many events each of its rounds publishes. */
const ATTACK_MS = 600;
const ROUND_MS = 20;
/** A reconciliation of one service begins at most this often, in milliseconds. */
const RECONCILE_MS = 100;

const buses = new TestConnections();
let gateway: Bus;
let grants: Bus;
/** Has the key of record-store, and one replica that exists. */
let rogue: NatsConnection;
let reconciliations: number;
let redeliveries: number;
let taken: string[];

beforeEach(async () => {
  gateway = await buses.connect('gateway');
  grants = await buses.connect('grants');
  grants.serve(grantedData.subject, 'grants', async () => ok('granted'));
  rogue = await buses.connectRaw('record-store');
  [reconciliations, redeliveries, taken] = [0, 0, []];
  rogue.subscribe(subject, {
    queue: 'record-store',
    callback: (_error, { reply }) => void taken.push(reply!),
  });
  rogue.subscribe(replicaSubject('record-store', 'real'), {
    callback: (_error, message) => {
      if (message.data.length === 0) return;
      if (message.string().startsWith('{')) {
        redeliveries++;
        return;
      }
      reconciliations++;
      // `rogue` answers that it has all of them.
      rogue.publish(message.reply!, message.data);
    },
  });
  say({ replica: 'real' });
  await Promise.all([grants.flush(), rogue.flush()]);
});

const say = (word: object) => rogue.publish(replicaEvent('record-store').subject, JSON.stringify(word));

/** Publishes events for a while, beside calls to another service; resolves with how long that took. */
async function attack(round: (at: number) => void): Promise<number> {
  const asker = await buses.connect('procedures');
  const begunAt = performance.now();
  for (let at = 0; performance.now() - begunAt < ATTACK_MS; at++) {
    round(at);
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    const answers = [gateway, asker].map((bus) => bus.flush());
    const reply = await asker.request(grantedData.subject, '', { timeoutMs: 60_000, effect: 'read' });
    expect(text(reply.body)).toBe('granted');
    await Promise.all(answers);
  }
  return performance.now() - begunAt;
}

describe('callers send a bounded number of messages to a hostile service', () => {
  test.each<[what: string, round: (at: number) => void]>([
    ['that announces replicas which do not exist', (at) => fakes(at)],
    ['that announces those, and the return of a replica again and again', (at) => [fakes(at), returns()]],
    ['that announces the same recent answers again and again', () => [recentAnswers(), returns()]],
  ])('%s', async (_what, round) => {
    const open = requestOneByOne(gateway, Array(OPEN).fill('x'), { timeoutMs: 60_000 });
    const outcomes = Promise.allSettled(open);
    while (taken.length < OPEN) await new Promise(setImmediate);
    const elapsed = await attack(round);
    expect(reconciliations).toBeGreaterThan(0);
    expect(reconciliations).toBeLessThanOrEqual(elapsed / RECONCILE_MS + 2);
    expect(redeliveries).toBeLessThanOrEqual(5 * OPEN);
    // The hostile service can still answer the requests that it took.
    const answer = headers();
    answer.set(busHeaders.status, '200');
    for (const reply of taken) rogue.publish(reply, 'late', { headers: answer });
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  });
});

function fakes(round: number): void {
  for (let id = 0; id < 20; id++) say({ replica: `fake${round}x${id}` });
}

function returns(): void {
  for (let time = 0; time < 6; time++) say({ replica: 'real', returns: true });
}

function recentAnswers(): void {
  for (let time = 0; time < 6; time++) say({ replica: 'real', recentAnswers: taken });
}
