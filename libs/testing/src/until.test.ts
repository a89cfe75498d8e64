import { expect, test } from '@jest/globals';
import { startBalancer, untilWell } from './load/balancer.ts';
import { Receiver } from './receiver.ts';
import { until } from './until.ts';
import { withoutJetStream } from './without-jetstream.ts';

test('a wait for a condition that never holds ends with its name', async () => {
  const waiting = until(
    () => 'the sun rises',
    () => false,
    { pollMs: 1, withinMs: 5 },
  );
  await expect(waiting).rejects.toThrow('not yet: the sun rises');
  let asked = 0;
  await until(
    () => 'a third question',
    () => ++asked === 3,
    { pollMs: 1 },
  );
  expect(asked).toBe(3);
});

test('a wait for gateways names those that are not ready', async () => {
  const [well, ill] = [
    await Receiver.start(),
    await Receiver.start((_received, response) => response.writeHead(503).end()),
  ];
  const [good, bad] = [well, ill].map(({ url }) => new URL(url).origin) as [string, string];
  const balancer = await startBalancer([good, bad]);
  await expect(untilWell([good, bad], 5)).rejects.toThrow(`ready gateways, but ${bad} `);
  await balancer.close();
  well.stop();
  ill.stop();
});

test('a configuration without the line of JetStream cannot turn JetStream off', () => {
  expect(withoutJetStream('port: 1\njetstream: {}\n')).toBe('port: 1\n\n');
  expect(() => withoutJetStream('port: 1\n')).toThrow('jetstream');
});
