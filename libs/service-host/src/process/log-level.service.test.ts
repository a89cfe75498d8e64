import { setTimeout as delay } from 'node:timers/promises';
import { logLevelEvent } from '@action-platform/contracts/bus';
import { healthCall } from '@action-platform/contracts/calls';
import { TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const platform = new TestPlatform();
let replicas: TestProcess[];
let other: TestProcess;

beforeAll(async () => {
  const spawned = ['procedures', 'procedures', 'knowledge'] as const;
  const processes = await Promise.all(spawned.map((service) => platform.spawn(service)));
  replicas = processes.slice(0, 2);
  other = processes[2]!;
});
afterAll(() => platform.stop());

/** The lines of a log with this message. */
function linesOf({ lines }: TestProcess, message: string): Record<string, unknown>[] {
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

/** Makes a call of each service, which is worth a line at level `debug`. */
async function callEach(): Promise<void> {
  await platform.callAs('gateway', healthCall('procedures'), {});
  await platform.callAs('gateway', healthCall('knowledge'), {});
}

const answered = () => replicas.flatMap((replica) => linesOf(replica, 'answered')).length;

test('an operator sets the level of all replicas of a service for a time, and the log names the operator', async () => {
  await callEach();
  const bus = await platform.connect('admin');
  bus.publish(logLevelEvent, { service: 'procedures', level: 'debug', seconds: 2, operator: 'olga' });
  await until(() => replicas.every((replica) => linesOf(replica, 'operator').length === 1));
  for (const replica of replicas) {
    expect(linesOf(replica, 'operator')).toEqual([
      expect.objectContaining({ command: 'log-level set', operator: 'olga', level: 'debug', seconds: 2 }),
    ]);
  }
  expect(answered()).toBe(0);
  await callEach();
  await until(() => answered() === 1);

  const isAsBefore = 'the level of the log is as configured';
  await until(() => replicas.every((replica) => linesOf(replica, isAsBefore).length === 1));
  await callEach();
  // A process has written all its lines when it has ended.
  for (const process of [...replicas, other]) process.signal('SIGTERM');
  await Promise.all([...replicas, other].map(({ exited }) => exited));
  expect(answered()).toBe(1);
  expect([linesOf(other, 'operator'), linesOf(other, 'answered')]).toEqual([[], []]);
});
