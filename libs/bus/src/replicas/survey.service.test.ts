import { hostname } from 'node:os';
import { type ReplicaStatus, statusSurvey } from '@action-platform/contracts/bus';
import { beforeAll, expect, test } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import type { Bus } from '../bus.ts';
import { TestConnections } from '../test-support/test-connections.ts';

const buses = new TestConnections();
let admin: Bus;
beforeAll(async () => {
  admin = await buses.connect('admin');
});

const statusOf = (replica: string): ReplicaStatus => ({
  service: 'mail',
  replica,
  version: '1.0.0',
  host: 'here',
  pid: 1,
  started_at: '2026-01-01T00:00:00.000Z',
  state: 'ok',
  missing: [],
  in_flight: 0,
  recent: { seconds: 60, answered: 0, failed: 0, p50_ms: null, p99_ms: null },
  bus_ms: 1,
  heard_of: [],
});

async function replica(answer: (id: string) => Promise<ReplicaStatus>): Promise<Bus> {
  const bus = await buses.connect('mail');
  bus.answerSurvey(statusSurvey, () => answer(bus.replica));
  await bus.flush();
  return bus;
}

test('every replica answers a survey; a failed or malformed answer is left out', async () => {
  const replicas = [await replica(async (id) => statusOf(id)), await replica(async (id) => statusOf(id))];
  await replica(() => Promise.reject(new Error('cannot')));
  await replica(async (id) => ({ ...statusOf(id), pid: 'none' }) as never);
  const answers = await admin.survey(statusSurvey, {
    timeoutMs: 60_000,
    isComplete: ({ length }) => length === 2,
  });
  const ids = (list: readonly { replica: string }[]) => list.map(({ replica }) => replica).toSorted();
  expect(ids(answers)).toEqual(ids(replicas));
});

test('a service cannot answer for another', async () => {
  const rogue = await buses.connectRaw('procedures');
  const frozen = await buses.connectRaw('mail');
  const heard = Promise.withResolvers<string>();
  const hear = (_error: Error | null, { reply }: Msg) => heard.resolve(reply!);
  frozen.subscribe('event.status.mail', { callback: hear });
  const claims: (readonly [subject: string, claim: ReplicaStatus])[] = [];
  for (const subject of ['event.status', 'event.status.procedures', 'event.status.mail', 'event.status.>']) {
    const answer = (error: Error | null, { reply }: Msg) => {
      if (error !== null) return;
      for (const claim of [statusOf('forged'), { ...statusOf('own'), service: 'procedures' as const }]) {
        claims.push([reply!, claim]);
        rogue.publish(reply!, JSON.stringify(claim));
      }
    };
    rogue.subscribe(subject, { callback: answer });
  }
  await Promise.all([rogue.flush(), frozen.flush()]);
  const survey = admin.survey(statusSurvey, { timeoutMs: 1_000, isComplete: () => false });
  rogue.publish(await heard.promise, JSON.stringify(statusOf('forged')));
  const replicas = (await survey).map(({ service, replica }) => `${service} ${replica}`);
  expect(replicas).toContain('procedures own');
  expect(replicas).not.toContain('mail forged');
  expect(claims).toHaveLength(2);
});

test('callers know a replica, and grants knows a gateway, until it leaves', async () => {
  const [gateway, grants] = [await buses.connect('gateway'), await buses.connect('grants')];
  const mail = await replica(async (id) => statusOf(id));
  gateway.answerSurvey(statusSurvey, async () => statusOf(gateway.replica));
  await gateway.flush();
  await grants.flush();
  const sighted = (bus: Bus) => bus.heardOf.map(({ service, replica }) => `${service} ${replica}`);
  expect(sighted(gateway)).toContain(`mail ${mail.replica}`);
  expect(sighted(grants)).toContain(`gateway ${gateway.replica}`);
  expect(grants.heardOf).toContainEqual(
    expect.objectContaining({ replica: gateway.replica, host: hostname(), pid: process.pid }),
  );
  await mail.drain();
  await gateway.flush();
  expect(sighted(gateway)).not.toContain(`mail ${mail.replica}`);
});
