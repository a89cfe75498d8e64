import { setTimeout as delay } from 'node:timers/promises';
import { operationSubject } from '@action-platform/contracts/calls';
import { sendEmail } from '@action-platform/contracts/operations';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Bus } from '../bus.ts';
import { TestCluster } from '../test-support/test-cluster.ts';
import { ok, subject, text } from '../test-support/test-connections.ts';

const PAUSE_MS = 10;
const MOST_ATTEMPTS = 1_000;
const cluster = new TestCluster();
const mail = operationSubject(sendEmail);

beforeAll(() => cluster.start());
afterAll(() => cluster.stop());

/** The answer to a read, which is repeated while no replica is reached. */
async function answered(gateway: Bus, to: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return text((await gateway.request(to, '', { timeoutMs: 10_000, effect: 'read' })).body);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

test('when a NATS server is partitioned from its peers, its clients change to them', async () => {
  const [cutOff, majority] = [0, 1];
  const gateways = [await cluster.connect('gateway', cutOff), await cluster.connect('gateway', majority)];
  const services = [await cluster.connect('record-store', majority), await cluster.connect('mail', cutOff)];
  services[0]!.serve(subject, 'record-store', async () => ok('stored'));
  services[1]!.serve(mail, 'mail', async () => ok('sent'));
  const expectAnswers = async () => {
    for (const gateway of gateways) {
      expect(await answered(gateway, subject)).toBe('stored');
      expect(await answered(gateway, mail)).toBe('sent');
    }
  };
  await expectAnswers();
  await cluster.partition();
  await expectAnswers();
});
